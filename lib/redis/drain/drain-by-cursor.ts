import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import type { WritingChannel } from '@/lib/redis/write/types';
import { boundedPage, eachAfter, type PageKind } from './bounded-page';
import { buffers, eachOf, readPage, scanPage } from './drain-replies';

const KINDS = {
  HSCAN: { kind: 'hash', per: 2 },
  SSCAN: { kind: 'set', per: 1 },
  ZSCAN: { kind: 'zset_by_name', per: 2 },
} as const satisfies Record<string, { kind: PageKind; per: number }>;

/** One page of a collection whose elements have names, and the cursor behind it. A page may be empty while it lives. */
export async function pageByCursor(
  channel: WritingChannel,
  command: keyof typeof KINDS,
  asked: { key: Buffer; position: DrainPosition; wanted: number; maxBytes: number },
): Promise<{ values: Buffer[]; cursor: string; each: number | undefined }> {
  const { key, position, wanted, maxBytes } = asked;
  const { kind, per } = KINDS[command];
  const from = position.cursor ?? '0';
  const bounded = await boundedPage(channel, { kind, key, from, wanted, maxBytes, each: position.each });
  if ('page' in bounded) {
    const { page } = bounded;
    return { values: buffers(page.values), cursor: page.next, each: eachAfter(page) };
  }
  const n = bounded.plainly;
  const { cursor, values } = scanPage(await readPage(channel, key, n, [command, key, from, 'COUNT', String(n)]));
  return { values, cursor, each: eachOf(values, values.length / per, position.each, maxBytes) };
}
