/**
 * Drains collections whose elements have names: they are read with HSCAN and the like, and removed by name. The cursor
 * is kept from page to page, because starting each chunk at 0 would never end. A page may be empty although the walk
 * has not ended. After the last page, one more pass looks for elements that a rehash may have hidden.
 */

import type { ElementChunk } from '@/lib/model/deletions/archive';
import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import { AppError } from '@/lib/model/errors';
import { computeScanBounds, ScanGuard } from '@/lib/redis/protocol/scan-guard';
import { hasKey } from '@/lib/redis/write/has-key';
import type { WritingChannel } from '@/lib/redis/write/types';
import { createUnexpectedReplyError } from '@/lib/redis/write/write-failure';
import { type PageKind, readBoundedPage } from './bounded-page';
import { estimateElementBytes, parseScanPage, readPage, toBuffers, toCount, unlink } from './drain-replies';
import type { Drainer } from './drainer';

/** `per` = how many values of a reply are one element: a name alone, or a name with its value or score. */
const COMMANDS = {
  HSCAN: { kind: 'hash', per: 2, remove: 'HDEL' },
  SSCAN: { kind: 'set', per: 1, remove: 'SREM' },
  ZSCAN: { kind: 'zset_by_name', per: 2, remove: 'ZREM' },
} as const satisfies Record<string, { kind: PageKind; per: number; remove: string }>;

/** The most bytes that are read at a time in order to remove them without a copy. */
const REMOVED_BYTES = 1024 * 1024;

/** `buildChunk` makes a chunk of a page that is not empty; null = nothing of it is left. */
export function createCursorDrainer(
  command: keyof typeof COMMANDS,
  buildChunk: (channel: WritingChannel, key: Buffer, values: Buffer[]) => Promise<ElementChunk | null>,
): Drainer {
  const { per, remove } = COMMANDS[command];
  return {
    counts: true,
    async read(channel, key, position, wanted, maxBytes) {
      const page = await readPageByCursor(channel, command, { key, position, wanted, maxBytes });
      const chunk = page.values.length === 0 ? null : await buildChunk(channel, key, page.values);
      const next = advancePosition(position, page.cursor, page.each);
      return { chunk, next, ...(await checkWalkEnd(channel, key, position, next)) };
    },
    async remove(channel, key, chunk) {
      const names = chunk.values.filter((_, index) => index % per === 0);
      return toCount(await channel.call([remove, key, ...names]));
    },
    // The elements cannot be measured before they are read, so they are read, removed by name, and dropped.
    async removeNext(channel, key, position, wanted) {
      const { chunk, next, end } = await this.read(channel, key, position, wanted, REMOVED_BYTES);
      const removed = chunk ? await this.remove(channel, key, chunk) : 0;
      return { removed, next, end };
    },
    finish: unlink,
  };
}

export const setDrainer = createCursorDrainer('SSCAN', async (_channel, _key, values) => ({
  type: 'set',
  start: 0,
  elements: values.length,
  values,
}));

/** Drains a sorted set that other clients still write: its ranks change, but its members do not. */
export const zsetByNameDrainer = createCursorDrainer('ZSCAN', async (_channel, _key, values) => ({
  type: 'zset',
  start: 0,
  elements: values.length / 2,
  values,
}));

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
    walk.guard.addPage(to, elements, elements);
  } catch (error) {
    throw error instanceof AppError ? createUnexpectedReplyError() : error;
  }
  walk.at = to;
  walks.set(channel.stats, walk);
}

/** Reads one page and returns the cursor for the next one. `each` = the expected bytes of its elements. */
async function readPageByCursor(
  channel: WritingChannel,
  command: keyof typeof COMMANDS,
  request: { key: Buffer; position: DrainPosition; wanted: number; maxBytes: number },
): Promise<{ values: Buffer[]; cursor: string; each: number | undefined }> {
  const { key, position, wanted, maxBytes } = request;
  const { kind, per } = COMMANDS[command];
  const from = position.cursor ?? '0';
  const bounded = await readBoundedPage(channel, { kind, key, from, wanted, maxBytes, each: position.each });
  if ('page' in bounded) {
    const { page } = bounded;
    assertMovesOn(channel, key, from, page.next, page.elements);
    return { values: toBuffers(page.values), cursor: page.next, each: page.large };
  }
  const n = bounded.plainly;
  const { cursor, values } = parseScanPage(await readPage(channel, key, n, [command, key, from, 'COUNT', String(n)]));
  assertMovesOn(channel, key, from, cursor, values.length / per);
  return { values, cursor, each: estimateElementBytes(values, values.length / per, position.each, maxBytes) };
}

function advancePosition(position: DrainPosition, cursor: string, each: number | undefined): DrainPosition {
  const pass = (position.pass ?? 0) + (cursor === '0' ? 1 : 0);
  return { cursor, pass, ...(each !== undefined && { each }) };
}

/** A walk ends after two whole passes, or after one if the key no longer exists. */
async function checkWalkEnd(
  channel: WritingChannel,
  key: Buffer,
  before: DrainPosition,
  next: DrainPosition,
): Promise<{ end: boolean; there?: boolean }> {
  const passes = next.pass ?? 0;
  if (passes === (before.pass ?? 0)) return { end: false };
  const there = await hasKey(channel, key);
  return { end: passes >= 2 || !there, there };
}
