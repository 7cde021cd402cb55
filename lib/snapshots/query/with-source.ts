import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '@/lib/model/errors';
import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { getSnapshotAsOf, type SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { createDamagedFilesError, findDamaged } from '@/lib/snapshots/folder/checksums';
import { listParts } from '@/lib/snapshots/folder/folder';
import { isDescribedAs } from '@/lib/snapshots/folder/manifest';
import { findMissingFiles, withMissingFiles } from '@/lib/snapshots/folder/missing-files';
import { runPinned } from '@/lib/snapshots/folder/pins';
import { mayComeFromStore } from '@/lib/snapshots/folder/stored-mark';
import { belowSql, dropUnusedTemplates, partsSql, sealedSql } from './columns';
import { type Limits, QUERY_TIMEOUT_MS, queryRows, type Row, type SqlValue, withConnection } from './duckdb';
import { listFilesBelow } from './list-files-below';

/** A snapshot as callers refer to it: its folder and its manifest. */
export interface SnapshotRef {
  dir: string;
  manifest: SnapshotManifest;
  /** Thresholds of bigkeys; default: those of the standards. */
  bigkeys?: BigkeyThresholds;
  /** Aborted when the caller has gone; the running query is then interrupted. */
  signal?: AbortSignal;
  /**
   * How long the caller waits, in ms, until all keys were evaluated against the rules. Absent: as long as that takes.
   */
  checkedWithinMs?: number;
}

/** A snapshot that queries can read, with the same columns (columns.ts) whether it is sealed or live. */
export interface Source extends SnapshotRef {
  bigkeys: BigkeyThresholds;
  /** A sub-select in brackets, to be used after FROM. It contains nothing that a user wrote. */
  readonly keys: string;
  /** The scan still runs. Its files have no column `template`, and computing it costs more than reading the name. */
  readonly live: boolean;
  /** If set, `keys` are only the keys of a sealed snapshot whose names begin with this prefix. Absent: all keys. */
  readonly below?: string;
  /** The moment TTLs are counted from, epoch ms. */
  readonly asOf: number;
  query<T extends Row>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  readonly connection: DuckDBConnection;
}

/**
 * `below`: the query is about keys whose names begin with this prefix, and reads only the files that can hold them. It
 * belongs to one query and never to a SnapshotRef, because everything that is computed from a snapshot and kept is
 * computed from all its keys.
 */
interface SourceOptions extends Limits {
  below?: string | undefined;
}

/** Runs `use` on a source for the snapshot. All other fields of `ref` are passed on to the source. */
export async function withSource<T, R extends SnapshotRef = SnapshotRef>(
  ref: R,
  use: (source: Source & R) => Promise<T>,
  limits: SourceOptions = {},
): Promise<T> {
  return runPinned(ref.dir, () => withPinned(ref, use, limits));
}

async function withPinned<T, R extends SnapshotRef>(
  ref: R,
  use: (source: Source & R) => Promise<T>,
  { below, ...limits }: SourceOptions,
): Promise<T> {
  const { dir, manifest, bigkeys = STANDARD_THRESHOLDS } = ref;
  const live = manifest.state !== 'sealed';
  const files = listFilesBelow(manifest, below);
  const keys = live ? `(${partsSql(dir, await listParts(dir))})` : await selectSealedKeys(ref, files, below);
  const signal = limits.signal ?? ref.signal;
  const allLimits = { timeoutMs: QUERY_TIMEOUT_MS, ...limits, signal };
  const shorten = (sql: string) => (live ? dropUnusedTemplates(sql, keys) : sql);
  const answering = withConnection(dir, allLimits, (connection) =>
    use({
      ...ref,
      keys,
      live,
      ...(!live && below && { below }),
      asOf: getSnapshotAsOf(manifest),
      bigkeys,
      connection,
      query: (sql, values = []) => queryRows(connection, shorten(sql), values),
    }),
  );
  if (live) return answering;
  const answer = await answering.catch(async (error) => {
    throw await withMissingFiles(error, dir, files);
  });
  await assertSameSeal(ref);
  return answer;
}

/**
 * Throws `snapshot_unreadable` if the local copy was replaced during the query by one of another seal, whose files have
 * the same names and other keys.
 */
async function assertSameSeal({ dir, manifest }: SnapshotRef): Promise<void> {
  if (!(await mayComeFromStore(dir)) || (await isDescribedAs(dir, manifest))) return;
  throw new AppError('snapshot_unreadable', 'The files of this snapshot were replaced while they were read.');
}

/**
 * Throws `snapshot_unreadable` when a sealed file is missing and no object store holds it. Files of a stored
 * snapshot may be missing: its roll-up is downloaded before its keys, and only a query that reads keys needs them.
 */
export async function assertReadable(
  { dir, manifest }: SnapshotRef,
  files: readonly string[] = manifest.files,
): Promise<void> {
  if (await mayComeFromStore(dir)) return;
  const missing = await findMissingFiles(dir, files);
  if (missing.length > 0) throw new AppError('snapshot_unreadable', 'A file of this snapshot is missing.', { missing });
}

/** Errors: `snapshot_unreadable`, `snapshot_damaged`. */
async function selectSealedKeys(
  ref: SnapshotRef,
  files: readonly string[],
  below: string | undefined,
): Promise<string> {
  await assertReadable(ref, files);
  const damaged = await findDamaged(ref.dir, ref.manifest.checksums, files);
  if (damaged.length > 0) throw createDamagedFilesError(damaged);
  const rows = sealedSql(ref.dir, { ...ref.manifest, files });
  return `(${below ? belowSql(rows, below) : rows})`;
}
