import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import { AppError } from '@/lib/model/errors';
import { computeScanBounds, ScanGuard } from '@/lib/redis/protocol/scan-guard';
import type { WritingChannel } from '@/lib/redis/write/types';
import { createUnexpectedReplyError } from '@/lib/redis/write/write-failure';
import { getNextSize, type PageKind, readBoundedPage } from './bounded-page';
import { estimateElementBytes, parseScanPage, readPage, toBuffers } from './drain-replies';

const KINDS = {
  HSCAN: { kind: 'hash', per: 2 },
  SSCAN: { kind: 'set', per: 1 },
  ZSCAN: { kind: 'zset_by_name', per: 2 },
} as const satisfies Record<string, { kind: PageKind; per: number }>;

/** The position of the walk over a key, by connection. Reading from another cursor starts a new walk. */
const walks = new WeakMap<WritingChannel['stats'], { key: Buffer; at: string; guard: ScanGuard }>();

/** Throws when a cursor repeats: the walk would never end, and the repeated elements would fill the archive. */
function assertMovesOn(channel: WritingChannel, key: Buffer, from: string, to: string, elements: number): void {
  const known = walks.get(channel.stats);
  const walk =
    from !== '0' && known?.at === from && known.key.equals(key)
      ? known
      : { key, at: from, guard: new ScanGuard(computeScanBounds(null), from) };
  try {
    walk.guard.page(to, elements, elements);
  } catch (error) {
    throw error instanceof AppError ? createUnexpectedReplyError() : error;
  }
  walk.at = to;
  walks.set(channel.stats, walk);
}

/**
 * Reads one page of a collection whose elements have names, and returns the cursor for the next page. A page may be
 * empty although the walk has not ended.
 */
export async function readPageByCursor(
  channel: WritingChannel,
  command: keyof typeof KINDS,
  asked: { key: Buffer; position: DrainPosition; wanted: number; maxBytes: number },
): Promise<{ values: Buffer[]; cursor: string; each: number | undefined }> {
  const { key, position, wanted, maxBytes } = asked;
  const { kind, per } = KINDS[command];
  const from = position.cursor ?? '0';
  const bounded = await readBoundedPage(channel, { kind, key, from, wanted, maxBytes, each: position.each });
  if ('page' in bounded) {
    const { page } = bounded;
    assertMovesOn(channel, key, from, page.next, page.elements);
    return { values: toBuffers(page.values), cursor: page.next, each: getNextSize(page) };
  }
  const n = bounded.plainly;
  const { cursor, values } = parseScanPage(await readPage(channel, key, n, [command, key, from, 'COUNT', String(n)]));
  assertMovesOn(channel, key, from, cursor, values.length / per);
  return { values, cursor, each: estimateElementBytes(values, values.length / per, position.each, maxBytes) };
}
