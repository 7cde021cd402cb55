import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { BESIDE } from '@/lib/snapshots/folder/beside';
import { checksumsOf } from '@/lib/snapshots/folder/checksums';
import { inSequence, listParts, removeParts } from '@/lib/snapshots/folder/folder';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { missingFilesOf } from '@/lib/snapshots/folder/missing-files';
import { type Connection, queryRows, withConnection } from '@/lib/snapshots/query/duckdb';
import { countRows, sealedRows } from './seal-sql';
import { removeSealedFiles, removeUnfinished, type SealedFiles, writeSealedFiles } from './sealed-files';
import { type SealStats, sumSealedFacts } from './sealed-stats';
import { readSealingNote, removeSealingNote, writeSealingNote } from './sealing-note';

/**
 * Turns parts into files in the order of names, each key once with its newest facts, so that a prefix is a few
 * neighbouring row groups. SCAN may return a key twice. One statement sorts all rows, and what memory does not hold is
 * put aside on the disk.
 *
 * A killed process begins anew. Done twice it gives the same: the description is written when all files are there, and
 * the parts are removed last.
 */
export interface SealProgress {
  /** Sorting: rows of parts that were read. Sealing: rows that were written, in their order. */
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
  onProgress?: (progress: SealProgress) => void;
  /** Rows of a row group, at least 2,048: a test asks for small ones. */
  groupRows?: number;
}

export async function sealSnapshot(
  dir: string,
  parts: readonly string[],
  options: SealOptions = {},
): Promise<SealStats> {
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
  const ordered = inSequence(parts);
  const { stats, files, cuts } =
    (await readSealingNote(dir, ordered, bigkeys)) ?? (await seal(dir, ordered, counting, options));
  if (!manifest) return stats;
  await writeManifest(dir, {
    ...(await manifest(stats)),
    files,
    ...(cuts && { cuts }),
    checksums: await checksumsOf(dir, [...files, ...(await besideIn(dir))]),
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
    const [row] = await queryRows<{ rows: number; rare: number }>(connection, countRows(dir, parts));
    const { rows, rare } = row!;
    const written = await whileReported(connection, rows, onProgress, () =>
      writeSealedFiles(connection, dir, sealedRows(dir, parts, rare > 0), groupRows),
    );
    const counted = await sumSealedFacts(connection, { ...counting, files: written.files });
    return { ...written, stats: { ...counted, duplicatesRemoved: rows - counted.keys } };
  });
  await writeSealingNote(dir, { parts, bigkeys: counting.bigkeys, ...sealed });
  return sealed;
}

const REPORT_EVERY_MS = 250;

/** The first half of what the database says of its statement is the reading, the second half the writing. */
async function whileReported<T>(
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

async function besideIn(dir: string): Promise<string[]> {
  const missing = await missingFilesOf(dir, BESIDE);
  return BESIDE.filter((file) => !missing.includes(file));
}

/** For a snapshot whose description tells its files, which are all that it needs. */
async function removeLeftovers(dir: string): Promise<void> {
  // Also parts that no checkpoint knows: a crash between a part and its checkpoint leaves one.
  await removeParts(dir, await listParts(dir));
  await removeUnfinished(dir);
  await removeSealingNote(dir);
}
