import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { computeChecksums } from '@/lib/snapshots/folder/checksums';
import { listParts, removeParts, sortBySequence } from '@/lib/snapshots/folder/folder';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { findMissingFiles } from '@/lib/snapshots/folder/missing-files';
import { SMALL_FILES } from '@/lib/snapshots/folder/small-files';
import { type Connection, queryRows, withConnection } from '@/lib/snapshots/query/duckdb';
import { countRowsSql, sealedRowsSql } from './seal-sql';
import { removeSealedFiles, removeUnfinished, type SealedFiles, writeSealedFiles } from './sealed-files';
import { type SealStats, sumSealedFacts } from './sealed-stats';
import { readSealingNote, removeSealingNote, writeSealingNote } from './sealing-note';

export interface SealProgress {
  /**
   * Sorting: rows of parts are read. Sealing: rows are written in their order. `done` and `total` are numbers of rows.
   */
  stage: 'sorting' | 'sealing';
  done: number;
  total: number;
}

interface SealOptions {
  /**
   * Builds the final manifest from the figures. It is written durably, with the list of files, before the parts are
   * deleted.
   */
  manifest: (stats: SealStats) => SnapshotManifest | Promise<SnapshotManifest>;
  signal?: AbortSignal;
  /** Thresholds for the count of bigkeys. */
  bigkeys?: BigkeyThresholds;
  onProgress?: (progress: SealProgress) => void;
  /** Rows of a row group, at least 2,048; tests use small ones. */
  groupRows?: number;
}

/**
 * Turns parts into files sorted by name, each key once with its newest facts (SCAN may return a key twice), so that a
 * prefix covers a few consecutive row groups. One statement sorts all rows; rows that do not fit into memory are
 * spilled to the disk.
 *
 * After a crash sealing starts again. Doing it twice gives the same result: the manifest is written when all files are
 * complete, and the parts are deleted last.
 */
export async function sealSnapshot(dir: string, parts: readonly string[], options: SealOptions): Promise<SealStats> {
  const { signal, manifest, bigkeys = STANDARD_THRESHOLDS } = options;
  const before = await readManifest(dir).catch(() => null);
  const counting = { dir, bigkeys, notHyperloglogs: before?.notHyperloglogs };
  if (before?.state === 'sealed') {
    const { files, coverage } = before;
    const count = (connection: Connection) => sumSealedFacts(connection, { ...counting, files });
    const counted = await withConnection(dir, { signal, lane: 'seal' }, count);
    await removeLeftovers(dir);
    return { ...counted, duplicatesRemoved: coverage.duplicatesRemoved ?? 0 };
  }
  const ordered = sortBySequence(parts);
  const { stats, files, cuts } =
    (await readSealingNote(dir, ordered, bigkeys)) ?? (await seal(dir, ordered, counting, options));
  await writeManifest(dir, {
    ...(await manifest(stats)),
    files,
    ...(cuts && { cuts }),
    checksums: await computeChecksums(dir, [...files, ...(await listSmallFiles(dir))]),
  });
  await removeLeftovers(dir);
  return stats;
}

async function seal(
  dir: string,
  parts: string[],
  counting: { dir: string; bigkeys: BigkeyThresholds; notHyperloglogs: SnapshotManifest['notHyperloglogs'] },
  { signal, onProgress, groupRows }: SealOptions,
): Promise<SealedFiles & { stats: SealStats }> {
  await removeSealingNote(dir);
  await removeSealedFiles(dir);
  const sealed = await withConnection(dir, { signal, lane: 'seal' }, async (connection) => {
    const [row] = await queryRows<{ rows: number; rare: number }>(connection, countRowsSql(dir, parts));
    const { rows, rare } = row!;
    const written = await runReported(connection, rows, onProgress, () =>
      writeSealedFiles(connection, dir, sealedRowsSql(dir, parts, rare > 0), groupRows),
    );
    const counted = await sumSealedFacts(connection, { ...counting, files: written.files });
    return { ...written, stats: { ...counted, duplicatesRemoved: rows - counted.keys } };
  });
  await writeSealingNote(dir, { parts, bigkeys: counting.bigkeys, ...sealed });
  return sealed;
}

const REPORT_EVERY_MS = 250;

/**
 * The database reports the progress of its statement in percent. The first half is reading, the second half writing.
 */
async function runReported<T>(
  connection: Connection,
  total: number,
  onProgress: SealOptions['onProgress'],
  use: () => Promise<T>,
): Promise<T> {
  const report = () => {
    const { percentage } = connection.progress;
    const stage = percentage <= 50 ? 'sorting' : 'sealing';
    const share = Math.max(0, percentage) / 50 - (stage === 'sorting' ? 0 : 1);
    onProgress?.({ stage, done: Math.round(total * share), total });
  };
  onProgress?.({ stage: 'sorting', done: 0, total });
  const timer = setInterval(report, REPORT_EVERY_MS);
  try {
    const result = await use();
    onProgress?.({ stage: 'sealing', done: total, total });
    return result;
  } finally {
    clearInterval(timer);
  }
}

async function listSmallFiles(dir: string): Promise<string[]> {
  const missing = await findMissingFiles(dir, SMALL_FILES);
  return SMALL_FILES.filter((file) => !missing.includes(file));
}

/** Deletes what sealing no longer needs. The manifest of the snapshot lists all files that it needs. */
async function removeLeftovers(dir: string): Promise<void> {
  // Parts that no checkpoint lists are deleted too: a crash between a part and its checkpoint leaves one.
  await removeParts(dir, await listParts(dir));
  await removeUnfinished(dir);
  await removeSealingNote(dir);
}
