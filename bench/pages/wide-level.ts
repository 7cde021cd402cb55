import type { Redis } from 'ioredis';

/** The prefix of a level with many nodes whose names are words, so that none of them fold. */
export const WIDE = 'wide:';

export async function fillWideLevel(client: Redis, nodes: number): Promise<void> {
  for (let at = 0; at < nodes; ) {
    const pipeline = client.pipeline();
    for (const end = Math.min(nodes, at + 10_000); at < end; at++) pipeline.set(`${WIDE}${word(at)}:value`, 'x');
    await pipeline.exec();
  }
}

/** Returns five letters without a digit. */
function word(n: number): string {
  let [text, rest] = ['', n];
  for (let i = 0; i < 5; i++, rest = Math.floor(rest / 26)) text = String.fromCodePoint(97 + (rest % 26)) + text;
  return text;
}
