/**
 * Returns the encoding to store for an answer of OBJECT ENCODING; null = not known. Redis 5.0 has no name for the
 * encoding of a stream and answers `unknown`; later versions answer `stream`.
 */
export function toEncoding(type: string | null, answer: string | null): string | null {
  if (answer !== 'unknown') return answer;
  return type === 'stream' ? 'stream' : null;
}
