import { isDeepStrictEqual } from 'node:util';
import { log } from '@/lib/log';
import { isMemoryOver } from '@/lib/model/errors';
import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { BESIDE } from '@/lib/snapshots/folder/beside';
import { checksumsOf } from '@/lib/snapshots/folder/checksums';
import { inSequence } from '@/lib/snapshots/folder/folder';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { missingFilesOf } from '@/lib/snapshots/folder/missing-files';
import { withConnection } from '@/lib/snapshots/query/duckdb';
import { partBytes, rowsOf } from './measure-parts';
import { halvedLimits, limitsFor, type SealLimits } from './seal-limits';
import { cutRanges, cutRestAnew, writeRanges } from './seal-ranges';
import { type Sealing, writeRuns } from './seal-runs';
import { type CountingStats, type Counts, type SealStats, sealedStats, statsFrom } from './sealed-stats';
import { removeSealing, resumeSealing, type SealingState, saveSealing } from './sealing-state';
import { forgetCopies, knownCopies } from './sorted-copies';

/**
 * Parts → files in the order of names: each key once with its newest facts, so that a prefix is a few neighbouring row
 * groups. SCAN may return a key twice. However many keys there are, memory holds a few million rows at most: some parts
 * at a time are sorted by name into a run, then range after range of names is merged from all runs into a file.
 *
 * Killed anywhere, it goes on behind the last finished run or range (sealing-state.ts) and comes to the same. Done
 * twice it gives the same: the description follows when all files are there, and the parts go last.
 */
export interface SealProgress {
  /** Sorting: rows of parts that lie in runs. Sealing: those of finished ranges. */
  stage: 'sorting' | 'sealing';
  done: number;
  total: number;
}

export interface SealOptions {
  /** Builds the final description from the figures; written durably, with the list of files, before the parts go. */
  manifest?: (stats: SealStats) => SnapshotManifest | Promise<SnapshotManifest>;
  signal?: AbortSignal;
  /** What the count of bigkeys counts. */
  bigkeys?: BigkeyThresholds;
  limits?: Partial<SealLimits>;
  onProgress?: (progress: SealProgress) => void;
}

export async function sealSnapshot(
  dir: string,
  parts: readonly string[],
  options: SealOptions = {},
): Promise<SealStats> {
  const { signal, manifest } = options;
  const before = await readManifest(dir).catch(() => null);
  const sealedBefore = before?.state === 'sealed' ? before : null;
  const counting = { dir, signal, bigkeys: options.bigkeys ?? STANDARD_THRESHOLDS, others: before?.notHyperloglogs };
  const seal = async () => {
    if (sealedBefore) {
      const { files, coverage } = sealedBefore;
      const counted = await sealedStats(counting, files);
      return { stats: { ...counted, duplicatesRemoved: coverage.duplicatesRemoved ?? 0 }, files };
    }
    const sealing = await beginSealing(dir, inSequence(parts), options);
    const { files, cuts, duplicatesRemoved } = await writeWhatFits(sealing);
    const counted = await countOnce(sealing, files, counting);
    return { stats: { ...counted, duplicatesRemoved }, files, ...(cuts && { cuts }) };
  };
  const { stats, ...listed } = await seal();
  if (manifest && !sealedBefore)
    await writeManifest(dir, {
      ...(await manifest(stats)),
      ...listed,
      checksums: await checksumsOf(dir, [...listed.files, ...(await besideIn(dir))]),
    });
  if (manifest || sealedBefore) {
    await removeSealing(dir);
    forgetCopies(dir);
  }
  return stats;
}

async function besideIn(dir: string): Promise<string[]> {
  const missing = await missingFilesOf(dir, BESIDE);
  return BESIDE.filter((file) => !missing.includes(file));
}

/** Where memory does not hold what the limits allow, with less at a time: what is done stays. */
async function writeWhatFits(sealing: Sealing): ReturnType<typeof writeFiles> {
  for (;;) {
    try {
      return await writeFiles(sealing);
    } catch (error) {
      const less = isMemoryOver(error) ? halvedLimits(sealing.limits) : null;
      if (less === null) throw error;
      const { runs, sealed } = sealing.state;
      log().warn({ err: error, runs: runs.length, ranges: sealed.length, limits: less }, 'snapshot.seal_limits_halved');
      sealing.limits = less;
      await cutRestAnew(sealing);
      await sealing.checkpoint();
    }
  }
}

async function beginSealing(
  dir: string,
  parts: readonly string[],
  { signal, limits, onProgress }: SealOptions,
): Promise<Sealing> {
  const before = await resumeSealing(dir, parts);
  const copies = await knownCopies(dir, parts);
  const unknown = before && isWritten(before) ? [] : parts.filter((part) => !copies.has(part));
  const { rows, bytes } = await measured(dir, unknown, signal);
  for (const [part, copy] of copies) {
    rows.set(part, copy.rows);
    bytes.set(part, copy.bytes);
  }
  const state: SealingState = before ?? {
    version: 4,
    parts: parts.map((file) => ({ file, rows: rows.get(file)! })),
    runs: [],
    ranges: null,
    sealed: [],
  };
  const report = () => onProgress?.(progressOf(state));
  report();
  return {
    dir,
    signal,
    limits: { ...limitsFor(sumOf(state.parts)), ...limits },
    bytes,
    copies,
    state,
    async checkpoint() {
      await saveSealing(dir, state);
      report();
      signal?.throwIfAborted();
    },
  };
}

const isWritten = ({ ranges, sealed }: SealingState) => ranges !== null && sealed.length === ranges.length;

async function measured(dir: string, parts: readonly string[], signal?: AbortSignal) {
  if (parts.length === 0) return { rows: new Map<string, number>(), bytes: new Map<string, number>() };
  return withConnection(dir, { signal, lane: 'seal' }, async (connection) => ({
    rows: await rowsOf(connection, dir, parts),
    bytes: await partBytes(connection, dir, parts),
  }));
}

/** Counted figures are a checkpoint as runs and ranges are: who describes the snapshot may be another process. */
async function countOnce(
  sealing: Sealing,
  files: readonly string[],
  counting: CountingStats,
): Promise<Omit<SealStats, 'duplicatesRemoved'>> {
  const { state, checkpoint } = sealing;
  const { bigkeys } = counting;
  if (state.counted && isDeepStrictEqual(state.counted.bigkeys, bigkeys)) return state.counted.stats;
  const counted = countsOfCopies(sealing, counting);
  const stats = counted ? await statsFrom(counting.dir, files, counted) : await sealedStats(counting, files);
  state.counted = { bigkeys, stats };
  await checkpoint();
  return stats;
}

/** Counted while the scan went on; null: not of all, not with these thresholds, or some keys were met twice. */
function countsOfCopies({ state, copies }: Sealing, { bigkeys, others }: CountingStats): Counts[] | null {
  const all = state.parts.map(({ file }) => copies.get(file)?.counted);
  const isSame = all.length > 0 && all.every((one) => one !== undefined && isDeepStrictEqual(one.bigkeys, bigkeys));
  const isOnce = sumOf(state.parts) === sumOf(state.sealed);
  return isSame && isOnce && others === undefined ? all.map((one) => one!.counts) : null;
}

/** The description is read with every question. Where names are that long, files are not told apart by them. */
const MAX_CUTS_LENGTH = 100_000;

async function writeFiles(sealing: Sealing): Promise<ListedFiles & { duplicatesRemoved: number }> {
  const { state } = sealing;
  if (state.ranges === null) {
    await writeRuns(sealing);
    await cutRanges(sealing);
    await sealing.checkpoint();
  }
  await writeRanges(sealing);
  const kept = state.sealed.flatMap(({ file }, index) =>
    file === null ? [] : [{ file, from: state.ranges![index]!.from }],
  );
  // Only the first range of all is open at its beginning.
  const cuts = kept.slice(1).map(({ from }) => from!);
  const isShort = cuts.reduce((sum, name) => sum + name.length, 0) <= MAX_CUTS_LENGTH;
  return {
    files: kept.map(({ file }) => file),
    ...(isShort && { cuts }),
    duplicatesRemoved: sumOf(state.parts) - sumOf(state.sealed),
  };
}

type ListedFiles = Pick<SnapshotManifest, 'files' | 'cuts'>;

const sumOf = (some: readonly { rows: number }[]) => some.reduce((sum, { rows }) => sum + rows, 0);

function progressOf(state: SealingState): SealProgress {
  const total = sumOf(state.parts);
  if (state.ranges === null) return { stage: 'sorting', done: sumOf(state.runs), total };
  // Duplicates are gone from what is written: ranges hold about as many rows each.
  return { stage: 'sealing', done: Math.round((total * state.sealed.length) / state.ranges.length), total };
}
