import type { ComparisonNote } from '@/lib/model/comparison/comparison';
import { AppError } from '@/lib/model/errors';
import { countSlots, joinSlotRanges } from '@/lib/model/servers/slot-ranges';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import type { Where } from '@/lib/snapshots/key-query/where-clause';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';

/** A snapshot to compare. `databases`: those that its instance is limited to, if its options do not say it. */
export interface ComparedRef extends SnapshotRef {
  databases?: readonly number[] | null;
}

/**
 * The keys that both scans would have read if they existed: what one of the two left out on purpose, or could not read
 * as a whole (a node, a database), is compared in neither. What was missed inside the common part is in the notes.
 */
export interface CommonPart {
  /** null: all. */
  databases: readonly number[] | null;
  exceptDatabases: readonly number[];
  /** The display form of names; '' = all. */
  prefix: string;
  /** null: all. */
  slots: readonly (readonly [number, number])[] | null;
  notes: ComparisonNote[];
}

/** Errors: `bad_request` if the two have no part in common. */
export function findCommonPart(now: ComparedRef, before: ComparedRef): CommonPart {
  const databases = intersect(getDatabases(now), getDatabases(before));
  const isOther = now.manifest.instanceId !== before.manifest.instanceId;
  const exceptDatabases = [...new Set([now, before].flatMap(({ manifest }) => listSkippedDatabases(manifest)))].sort(
    (a, b) => a - b,
  );
  const prefix = chooseLonger(now.manifest.options.match ?? '', before.manifest.options.match ?? '');
  const slots = intersectSlots(getSlots(now.manifest), getSlots(before.manifest));
  if (databases?.length === 0 || prefix === null || slots?.length === 0)
    throw new AppError(
      'bad_request',
      'These snapshots have no part of the keyspace in common: their databases, prefixes or slots exclude each other.',
      { reason: 'nothingInCommon' },
    );
  const differ = <T>(value: (manifest: SnapshotManifest) => T) => value(now.manifest) !== value(before.manifest);
  const notes: (ComparisonNote | false)[] = [
    isOther && { code: 'otherInstance', params: { instance: before.manifest.instanceName } },
    databases !== null &&
      hasOtherDatabases(now, before) && { code: 'databases', params: { list: databases.join(', ') } },
    exceptDatabases.length > 0 && { code: 'exceptDatabases', params: { list: exceptDatabases.join(', ') } },
    differ(({ options }) => options.match ?? '') && { code: 'prefix', params: { prefix } },
    slots !== null && { code: 'slots', params: { slots: countSlots(slots) } },
    differ(isCluster) && { code: 'clusters', params: {} },
    differ(({ options }) => options.facts) && { code: 'facts', params: {} },
    mayMissKeys(now.manifest) && { code: 'partialNow', params: {} },
    mayMissKeys(before.manifest) && { code: 'partialBefore', params: {} },
  ];
  return { databases, exceptDatabases, prefix, slots, notes: notes.filter((note) => note !== false) };
}

/** Limits a clause over the columns of keys to the common part; the prefix is left to the caller, as a range. */
export function limitToCommon(where: Where, { databases, exceptDatabases, slots }: CommonPart): void {
  const bindAll = (numbers: readonly number[]) => numbers.map((number) => `${where.bind(number)}::INTEGER`).join(', ');
  if (databases !== null) where.and(`db IN (${bindAll(databases)})`);
  if (exceptDatabases.length > 0) where.and(`db NOT IN (${bindAll(exceptDatabases)})`);
  if (slots !== null)
    where.and(
      `(${slots.map(([from, to]) => `slot BETWEEN ${where.bind(from)}::INTEGER AND ${where.bind(to)}::INTEGER`).join(' OR ')})`,
    );
}

/** Whether the part is limited by something that sums by path and database do not contain. */
export const needsKeys = ({ slots }: CommonPart): boolean => slots !== null;

const isCluster = ({ nodes }: SnapshotManifest): boolean => nodes.some(({ slots }) => slots.length > 0);

const getDatabases = ({ manifest, databases = null }: ComparedRef): readonly number[] | null =>
  manifest.coverage.partialReasons.some(({ code }) => code === 'databases_unknown')
    ? [0]
    : (manifest.options.databases ?? databases);

const hasOtherDatabases = (now: ComparedRef, before: ComparedRef) =>
  [...(getDatabases(now) ?? ['all'])].sort().join() !== [...(getDatabases(before) ?? ['all'])].sort().join();

function intersect(a: readonly number[] | null, b: readonly number[] | null): readonly number[] | null {
  if (a === null || b === null) return a ?? b;
  return a.filter((number) => b.includes(number));
}

/** Databases that could not be read as a whole. In a cluster a node that was skipped is one of slots instead. */
const listSkippedDatabases = (manifest: SnapshotManifest): number[] =>
  isCluster(manifest) ? [] : manifest.coverage.skipped.flatMap(({ db }) => (db === null ? [] : [db]));

const chooseLonger = (a: string, b: string): string | null => (a.startsWith(b) ? a : b.startsWith(a) ? b : null);

/** The slots whose keys were read; null: all of them, or the server has no slots. */
function getSlots(manifest: SnapshotManifest): [number, number][] | null {
  const skipped = new Set(manifest.coverage.skipped.map(({ address }) => address));
  if (skipped.size === 0 || !isCluster(manifest)) return null;
  return joinSlotRanges(manifest.nodes.flatMap(({ address, slots }) => (skipped.has(address) ? [] : slots)));
}

type Slots = readonly (readonly [number, number])[] | null;

function intersectSlots(a: Slots, b: Slots): Slots {
  if (a === null || b === null) return a ?? b;
  const common = a.flatMap(([from, to]) =>
    b.flatMap(([start, end]): [number, number][] => {
      const range: [number, number] = [Math.max(from, start), Math.min(to, end)];
      return range[0] <= range[1] ? [range] : [];
    }),
  );
  return joinSlotRanges(common);
}

/** Whether keys inside the common part may be missing, and which ones is not known. */
function mayMissKeys(manifest: SnapshotManifest): boolean {
  const { partial, partialReasons, skipped } = manifest.coverage;
  const isExcluded = skipped.every(({ db }) => db !== null || isCluster(manifest));
  const isExplained = skipped.length + partialReasons.length > 0;
  return partial && !(isExcluded && isExplained && partialReasons.every(({ code }) => code === 'databases_unknown'));
}
