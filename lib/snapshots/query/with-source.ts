import { access } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '@/lib/model/errors';
import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { asOfSnapshot } from '@/lib/model/snapshots/snapshot';
import { listParts } from '@/lib/snapshots/folder/folder';
import { whilePinned } from '@/lib/snapshots/folder/pins';
import { mayComeFromStore } from '@/lib/snapshots/folder/stored-mark';
import { partsSql, sealedSql, TEMPLATE_SCHEMA, withoutTemplates } from './columns';
import { type Limits, QUERY_TIMEOUT_MS, queryRows, type Row, type SqlValue, withConnection } from './duckdb';

/** A snapshot as the askers know it: where it lies and what its description says. */
export interface SnapshotRef {
  dir: string;
  manifest: SnapshotManifest;
  /** What is a bigkey here; the standards' numbers where nobody says otherwise. */
  bigkeys?: BigkeyThresholds;
  /** Aborted when whoever asks has gone: what is being asked for them is interrupted. */
  signal?: AbortSignal;
}

/** What a question is asked of: the same columns (columns.ts) whether sealed or live. */
export interface Source extends SnapshotRef {
  bigkeys: BigkeyThresholds;
  /** A sub-select in brackets; goes behind FROM. Holds nothing a user wrote. */
  readonly keys: string;
  readonly live: boolean;
  /** The column `template` lies in the files; elsewhere it costs more to ask than the name. */
  readonly hasTemplates?: boolean;
  /** The moment TTLs are counted from, epoch ms. */
  readonly asOf: number;
  query<T extends Row>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  readonly connection: DuckDBConnection;
}

/** What else the caller's `ref` holds goes on to the source. */
export async function withSource<T, R extends SnapshotRef = SnapshotRef>(
  ref: R,
  use: (source: Source & R) => Promise<T>,
  limits: Limits = {},
): Promise<T> {
  return whilePinned(ref.dir, () => withPinned(ref, use, limits));
}

async function withPinned<T, R extends SnapshotRef>(
  ref: R,
  use: (source: Source & R) => Promise<T>,
  limits: Limits,
): Promise<T> {
  const { dir, manifest, bigkeys = STANDARD_THRESHOLDS } = ref;
  const live = manifest.state !== 'sealed';
  const keys = live ? await liveKeys(dir) : await sealedKeys(ref);
  const signal = limits.signal ?? ref.signal;
  return withConnection(dir, { timeoutMs: QUERY_TIMEOUT_MS, ...limits, signal }, (connection) =>
    use({
      ...ref,
      keys,
      live,
      hasTemplates: !live && manifest.schemaVersion >= TEMPLATE_SCHEMA,
      asOf: asOfSnapshot(manifest),
      bigkeys,
      connection,
      query: (sql, values = []) => queryRows(connection, live ? withoutTemplates(sql, keys) : sql, values),
    }),
  );
}

/**
 * Throws AppError('snapshot_unreadable') when one of the sealed files is not there and cannot come either: the roll-up
 * of a stored snapshot is here before its keys are, and only a question that reads them needs them.
 */
export async function assertReadable({ dir, manifest: { files } }: SnapshotRef): Promise<void> {
  if (await mayComeFromStore(dir)) return;
  try {
    await Promise.all(files.map((file) => access(path.join(dir, file))));
  } catch (error) {
    throw new AppError('snapshot_unreadable', 'A file of this snapshot is missing.', {}, { cause: error });
  }
}

async function sealedKeys(ref: SnapshotRef): Promise<string> {
  await assertReadable(ref);
  return `(${sealedSql(ref.dir, ref.manifest)})`;
}

const liveKeys = async (dir: string): Promise<string> => `(${partsSql(dir, await listParts(dir))})`;
