import type { PartialReason } from '@/lib/model/snapshots/snapshot';
import type { ScanCheckpoint } from './scan-checkpoint';

/**
 * A smaller difference proves nothing, because keys are added and deleted while they are counted: 10 keys plus 0.5 % of
 * those counted.
 */
const SLACK_KEYS = 10;
const SLACK_SHARE = 0.005;
/**
 * How many expired keys DBSIZE may count for each key with an expiry that was read. SCAN does not return expired keys.
 * Up to a quarter of the keys with an expiry may have expired, which is a third of those that were read.
 */
const EXPIRED_PER_EXPIRING = 1 / 3;

/**
 * Returns the reasons why keys may be missing from the snapshot. `sealedKeys`: the number of distinct keys, null until
 * sealing has counted them. SCAN repeats some keys, and repeated ones must not make up for missing ones.
 */
export function findPartialReasons(checkpoint: ScanCheckpoint, sealedKeys: number | null = null): PartialReason[] {
  const reasons = [...(checkpoint.partialReasons ?? [])];
  const slots = Object.keys(checkpoint.openSlots ?? {}).length;
  if (slots > 0) reasons.push({ code: 'slots_migrating', address: null, db: null, params: { slots } });
  if (!checkpoint.readingDone || checkpoint.options.match !== null) return reasons;
  const shortfalls = [...new Set(checkpoint.partitions.map(({ db }) => db))].flatMap((db) => {
    const figures = computeShortfall(checkpoint, db, null);
    return figures === null ? [] : [{ db, figures }];
  });
  for (const { db, figures } of shortfalls)
    reasons.push({ code: 'fewer_than_counted', address: null, db, params: figures });
  const totalShortfall = shortfalls.length === 0 ? computeShortfall(checkpoint, null, sealedKeys) : null;
  if (totalShortfall !== null)
    reasons.push({ code: 'fewer_than_counted', address: null, db: null, params: totalShortfall });
  return reasons;
}

/**
 * Compares the keys read with those counted, for one database over all nodes, because slots move between nodes and
 * never between databases. `db` null: for all databases. Returns null if the keys are not clearly fewer, or not known.
 */
function computeShortfall(
  checkpoint: ScanCheckpoint,
  db: number | null,
  sealedKeys: number | null,
): { read: number; counted: number } | null {
  // `notStored`: keys that SCAN returned and that are not in the snapshot.
  let [atStart, atEnd, keysRead, notStored, expiring] = [0, 0, 0, 0, 0];
  for (const partition of checkpoint.partitions) {
    if (db !== null && partition.db !== db) continue;
    if (partition.keysAtStart === null || partition.keysAtEnd === null) return null;
    atStart += partition.keysAtStart;
    atEnd += partition.keysAtEnd;
    keysRead += partition.keys;
    notStored += partition.vanished + (partition.internal ?? 0);
    expiring += partition.expiring ?? 0;
  }
  const storedKeys = sealedKeys ?? keysRead;
  const counted = Math.min(atStart, atEnd);
  const slack = SLACK_KEYS + counted * SLACK_SHARE + expiring * EXPIRED_PER_EXPIRING;
  return counted - storedKeys - notStored > slack ? { read: storedKeys, counted } : null;
}
