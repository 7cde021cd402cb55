import { type ElementChunk, isElementType } from '@/lib/model/archive';
import { readNodeState } from '@/lib/redis/node-state';
import { renameBack } from '@/lib/redis/rename-back';
import { restorerOf } from '@/lib/redis/restore';
import { readServerTime } from '@/lib/redis/server-time';
import { WriteFailure } from '@/lib/redis/write-failure';
import type { StoredItem } from '@/lib/store/deletion-items';
import { readChunks } from '@/lib/vault/archive-reader';
import { journalOf, saveItem } from './item-journal';
import { temporaryOf, tombstoneOf } from './item-names';
import { NeedsPerson } from './stop-work';
import type { Work } from './work';

export interface UndoWish {
  /** Also what would have expired meanwhile, without an expiry. */
  restoreExpired: boolean;
}

/** A key that is built again takes about what it took before; a little more while it grows. */
const HEADROOM = 1.2;

/**
 * Builds a key again from its archive. Every byte of the archive is verified before the first command; readers see
 * nothing until the whole is renamed. Returns why not, or null.
 */
export async function rebuildKey(work: Work, item: StoredItem, wish: UndoWish): Promise<string | null> {
  const { archives = [], look } = journalOf(item);
  const indexes = [];
  for (const file of archives) indexes.push({ file, index: await work.archives.get(file) });
  const parts = indexes.filter(({ index }) => index.keys.has(item.seq));
  const key = parts[0]?.index.keys.get(item.seq)?.key;
  const end = parts.map(({ index }) => index.keys.get(item.seq)?.end).findLast((one) => one != null);
  if (!key || !end) return 'archive_incomplete';
  const channel = await work.desks.at(item.slot).channel(item.db);
  const isOver = key.expireAt !== null && key.expireAt <= ((await readServerTime(channel)) ?? key.expireAt);
  if (isOver && !wish.restoreExpired) return 'expired_meanwhile';

  const { usedMemory, maxMemory } = await readNodeState(channel);
  if (maxMemory && usedMemory && usedMemory + (look?.bytes ?? 0) * HEADROOM > maxMemory)
    throw new NeedsPerson({ code: 'no_memory', params: {} });

  const temporary = temporaryOf(item);
  // What an earlier attempt built is ours and read by nobody.
  await channel.call(['UNLINK', temporary]);
  const restorer = restorerOf(key.type);
  let groups: ElementChunk | null = null;
  // Lists and strings grow from their beginning, and the end was archived first.
  const sorted = key.type === 'list' || key.type === 'string';
  const ordered = sorted ? parts.reverse() : parts;
  let expires = false;
  for (const { file, index } of ordered)
    for await (const chunk of readChunks(file, index, item.seq, { sorted })) {
      expires ||= chunk.expiries !== undefined;
      if (chunk.type === 'groups') groups = chunk;
      else {
        await restorer.write(channel, temporary, chunk);
        // A string is one element, told when it is back.
        if (key.type !== 'string') work.meter.add(chunk.elements);
      }
    }
  await restorer.finish?.(channel, temporary, key, groups);
  const count = await restorer.count(channel, temporary);
  // A hash counts fields that have expired until somebody looks: fewer could be read, as the archive says at its end.
  const lapsed = key.type === 'hash' && count < (key.length ?? 0) && (expires || count === end.elements);
  if (key.length !== null && count !== key.length && !lapsed) {
    await channel.call(['UNLINK', temporary]);
    return 'count_differs';
  }
  if (expires)
    for (const { file, index } of ordered)
      for await (const chunk of readChunks(file, index, item.seq, { sorted }))
        if (chunk.expiries) await restorer.expire?.(channel, temporary, chunk);
  const back = (expireAt: number | null) =>
    renameBack(channel, { tombstone: temporary, name: item.name, expireAt }, async (deadline) => {
      const journal = { ...journalOf(item), renaming: true, ...(deadline !== null && { deadline }) };
      await saveItem(work, item, { journal });
    }).catch((error) => {
      if (error instanceof WriteFailure && error.kind === 'denied') return 'denied' as const;
      throw error;
    });
  const answer = await back(isOver ? null : key.expireAt);
  // It may end while it is built.
  const outcome = answer === 'expired' && wish.restoreExpired ? await back(null) : answer;
  if (outcome === 'renamed') {
    if (key.type === 'string') work.meter.add(1);
    return null;
  }
  // Known before our copy goes: the other key under this name would look like ours.
  await saveItem(work, item, { journal: { ...journalOf(item), renaming: false } });
  await channel.call(['UNLINK', temporary]);
  if (outcome === 'denied') return 'rename_denied';
  // Also where each of its fields had an expiry, and all have passed.
  if (outcome === 'expired' || (outcome === 'vanished' && expires)) return 'expired_meanwhile';
  return outcome === 'recreated' ? 'recreated' : 'archive_incomplete';
}

/**
 * Puts what was taken out of a tombstone back into it, for keys that cannot be read to their end. Returns whether it is
 * whole; the beginning of a stream cannot be added to it again.
 */
export async function refillTombstone(work: Work, item: StoredItem): Promise<boolean> {
  const { archives = [], look } = journalOf(item);
  if (!look || !isElementType(look.type)) return false;
  const channel = await work.desks.at(item.slot).channel(item.db);
  const restorer = restorerOf(look.type);
  const isWhole = async () => (await restorer.count(channel, tombstoneOf(item))) === look.length;
  if ((await isWhole()) || look.type === 'stream') return isWhole();
  const sorted = look.type === 'list';
  for (const file of sorted ? archives.toReversed() : archives) {
    const index = await work.archives.get(file);
    for await (const chunk of readChunks(file, index, item.seq, { sorted })) {
      await restorer.write(channel, tombstoneOf(item), chunk);
      if (chunk.expiries) await restorer.expire?.(channel, tombstoneOf(item), chunk);
    }
  }
  return isWhole();
}
