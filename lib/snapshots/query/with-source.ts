import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '@/lib/model/errors';
import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { asOfSnapshot } from '@/lib/model/snapshots/snapshot';
import { damagedFiles, findDamaged } from '@/lib/snapshots/folder/checksums';
import { listParts } from '@/lib/snapshots/folder/folder';
import { isDescribedAs } from '@/lib/snapshots/folder/manifest';
import { missingFilesOf, withMissingFiles } from '@/lib/snapshots/folder/missing-files';
import { whilePinned } from '@/lib/snapshots/folder/pins';
import { mayComeFromStore } from '@/lib/snapshots/folder/stored-mark';
import { belowSql, partsSql, sealedSql, withoutTemplates } from './columns';
import { type Limits, QUERY_TIMEOUT_MS, queryRows, type Row, type SqlValue, withConnection } from './duckdb';
import { filesBelow } from './files-below';

/** A snapshot as the askers know it: where it lies and what its description says. */
export interface SnapshotRef {
  dir: string;
  manifest: SnapshotManifest;
  /** What is a bigkey here; the standards' numbers where nobody says otherwise. */
  bigkeys?: BigkeyThresholds;
  /** Aborted when whoever asks has gone: what is being asked for them is interrupted. */
  signal?: AbortSignal;
  /** How long whoever asks waits until the rules were asked of all keys; none: as long as that takes. */
  checkedWithinMs?: number;
}

/** What a question is asked of: the same columns (columns.ts) whether sealed or live. */
export interface Source extends SnapshotRef {
  bigkeys: BigkeyThresholds;
  /** A sub-select in brackets; goes behind FROM. Holds nothing a user wrote. */
  readonly keys: string;
  /** While the scan runs there is no column `template` in the files: to compute it costs more than to read the name. */
  readonly live: boolean;
  /** `keys` are those of a sealed snapshot whose names begin so; none: all of them. */
  readonly below?: string;
  /** The moment TTLs are counted from, epoch ms. */
  readonly asOf: number;
  query<T extends Row>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  /**
   * On another connection, while this one is at work (`atOnce`): only what reads few rows, as those of the roll-up are,
   * and no table of `connection`.
   */
  queryBeside<T extends Row>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  readonly connection: DuckDBConnection;
}

/**
 * `below`: the question is about keys whose names begin so, and stands on nothing but the files that can hold them. It
 * belongs to this one question and never to a SnapshotRef: what is made of a snapshot and kept is made of all its keys.
 */
export interface AskedOf extends Limits {
  below?: string | undefined;
}

/** What else the caller's `ref` holds goes on to the source. */
export async function withSource<T, R extends SnapshotRef = SnapshotRef>(
  ref: R,
  use: (source: Source & R) => Promise<T>,
  limits: AskedOf = {},
): Promise<T> {
  return whilePinned(ref.dir, () => withPinned(ref, use, limits));
}

async function withPinned<T, R extends SnapshotRef>(
  ref: R,
  use: (source: Source & R) => Promise<T>,
  { below, ...limits }: AskedOf,
): Promise<T> {
  const { dir, manifest, bigkeys = STANDARD_THRESHOLDS } = ref;
  const live = manifest.state !== 'sealed';
  const files = filesBelow(manifest, below);
  const keys = live ? await liveKeys(dir) : await sealedKeys(ref, files, below);
  const signal = limits.signal ?? ref.signal;
  const within = { timeoutMs: QUERY_TIMEOUT_MS, ...limits, signal };
  const readable = (sql: string) => (live ? withoutTemplates(sql, keys) : sql);
  const asked = withConnection(dir, within, (connection) => {
    const until = performance.now() + (within.timeoutMs ?? Number.POSITIVE_INFINITY);
    return use({
      ...ref,
      keys,
      live,
      ...(!live && below && { below }),
      asOf: asOfSnapshot(manifest),
      bigkeys,
      connection,
      query: (sql, values = []) => queryRows(connection, readable(sql), values),
      // In the time that is left for the whole question.
      queryBeside: (sql, values = []) =>
        withConnection(
          dir,
          { ...within, lane: 'small', timeoutMs: Math.max(1, Math.min(until - performance.now(), QUERY_TIMEOUT_MS)) },
          (other) => queryRows(other, readable(sql), values),
        ),
    });
  });
  if (live) return asked;
  const answer = await asked.catch(async (error) => {
    throw await withMissingFiles(error, dir, files);
  });
  await assertSameSeal(ref);
  return answer;
}

/** A copy may be replaced by that of another seal, whose files have the same names and other keys. */
async function assertSameSeal({ dir, manifest }: SnapshotRef): Promise<void> {
  if (!(await mayComeFromStore(dir)) || (await isDescribedAs(dir, manifest))) return;
  throw new AppError('snapshot_unreadable', 'The files of this snapshot were replaced while they were read.');
}

/**
 * Throws AppError('snapshot_unreadable') when one of the sealed files is not there and cannot come either: the roll-up
 * of a stored snapshot is here before its keys are, and only a question that reads them needs them.
 */
export async function assertReadable(
  { dir, manifest }: SnapshotRef,
  files: readonly string[] = manifest.files,
): Promise<void> {
  if (await mayComeFromStore(dir)) return;
  const missing = await missingFilesOf(dir, files);
  if (missing.length > 0) throw new AppError('snapshot_unreadable', 'A file of this snapshot is missing.', { missing });
}

/** Throws AppError('snapshot_damaged') where a file is not what was written. */
async function assertUndamaged({ dir, manifest }: SnapshotRef, files: readonly string[]): Promise<void> {
  const damaged = await findDamaged(dir, manifest.checksums, files);
  if (damaged.length > 0) throw damagedFiles(damaged);
}

async function sealedKeys(ref: SnapshotRef, files: readonly string[], below: string | undefined): Promise<string> {
  await assertReadable(ref, files);
  await assertUndamaged(ref, files);
  const rows = sealedSql(ref.dir, { ...ref.manifest, files });
  return `(${below ? belowSql(rows, below) : rows})`;
}

const liveKeys = async (dir: string): Promise<string> => `(${partsSql(dir, await listParts(dir))})`;
