/**
 * Reads compact keys that are larger than one reply, and keys that are no longer compact. HSCAN and SSCAN return a
 * compact value whole whatever COUNT says. Lists and sorted sets can be read by position, and hashes by name after
 * their values were measured. A compact set allows neither, so the result is null: it must be read whole or not at all.
 */

import type { ElementType } from '@/lib/model/deletions/archive';
import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import type { WritingChannel } from '@/lib/redis/write/types';
import { setDrainer } from './drain-by-cursor';
import { buildHashChunk, hashDrainer } from './drain-hash';
import { listDrainer } from './drain-list';
import { toBuffers, toCount } from './drain-replies';
import { zsetDrainer } from './drain-zset';
import type { Drainer, DrainRead } from './drainer';

const BY_PLACE: Partial<Record<ElementType, Drainer>> = { list: listDrainer, zset: zsetDrainer };
/** The drainers of hash tables, for a key that is no longer compact. */
const TABLE: Partial<Record<ElementType, Drainer>> = { hash: hashDrainer, set: setDrainer };
/** How many names' values are measured in one write: each measurement walks the listpack. */
const MEASURED = 32;

/** `compact` = the encoding is still compact. `maxBytes` bounds each part. */
export async function readInParts(
  channel: WritingChannel,
  { type, key, compact }: { type: ElementType; key: Buffer; compact: boolean },
  position: DrainPosition,
  wanted: number,
  maxBytes: number,
): Promise<DrainRead | null> {
  const drainer = BY_PLACE[type] ?? (compact ? undefined : TABLE[type]);
  if (drainer) return drainer.read(channel, key, position, wanted, maxBytes);
  return type === 'hash' ? readByNames(channel, key, position, maxBytes) : null;
}

/** The order of a listpack does not change while nobody writes it: `at` counts the fields that were read. */
async function readByNames(
  channel: WritingChannel,
  key: Buffer,
  position: DrainPosition,
  maxBytes: number,
): Promise<DrainRead> {
  const at = position.at ?? 0;
  const names = toBuffers(await channel.call(['HKEYS', key])).slice(at);
  const next = names.slice(0, MEASURED);
  const lengths = await channel.callAll(next.map((name) => ['HSTRLEN', key, name]));
  const fitting: Buffer[] = [];
  let bytes = 0;
  for (const [index, name] of next.entries()) {
    const length = lengths[index];
    if (length instanceof Error) throw length;
    bytes += name.length + toCount(length as Reply);
    if (fitting.length > 0 && bytes > maxBytes) break;
    fitting.push(name);
  }
  if (fitting.length === 0) return { chunk: null, next: { at }, end: true };
  const found = await channel.call(['HMGET', key, ...fitting]);
  // A field with its own expiry may have expired since its name was read.
  const values = (Array.isArray(found) ? found : []).flatMap((value, index) =>
    value === null ? [] : [fitting[index] as Buffer, ...toBuffers([value])],
  );
  return {
    chunk: values.length === 0 ? null : await buildHashChunk(channel, key, values),
    next: { at: at + fitting.length },
    end: fitting.length === names.length,
  };
}
