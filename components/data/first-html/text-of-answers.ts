import { dehydrate, QueryClient } from '@tanstack/react-query';

/** How JSON writes half of a surrogate pair. */
const HALF_CHARACTER = /\\ud[89a-f][0-9a-f]{2}/g;

/** What a page sends of its answers; without any rather than not at all. */
export function textOfAnswers(client: QueryClient): string {
  try {
    return wholeCharacters(JSON.stringify(dehydrate(client)));
  } catch {
    return JSON.stringify(dehydrate(new QueryClient()));
  }
}

/** HTML has a replacement character for half a character, and the browser would find another text than it was sent. */
export const wholeCharacters = (json: string): string =>
  json.replace(HALF_CHARACTER, (half, at: number) => {
    let backslashes = 0;
    while (json[at - 1 - backslashes] === '\\') backslashes++;
    return backslashes % 2 === 0 ? '\ufffd' : half;
  });
