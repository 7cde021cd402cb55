/**
 * What OBJECT ENCODING answered, as we keep it. Redis 5.0 has no word for the encoding of a stream and says `unknown`;
 * later versions say `stream`. null = not known.
 */
export function encodingOf(type: string | null, answer: string | null): string | null {
  if (answer !== 'unknown') return answer;
  return type === 'stream' ? 'stream' : null;
}
