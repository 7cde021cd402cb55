import { access } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/bigkey-thresholds';
import { AppError } from '@/lib/model/errors';
import type { KeyFilter } from '@/lib/model/filter';
import type { EffectivePolicy } from '@/lib/model/policy';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { SnapshotManifest } from '@/lib/model/snapshot';
import { asOfSnapshot } from '@/lib/model/snapshot';
import { NO_PARTS_SQL, partsSql, SEALED_FILE, sealedSql } from './columns';
import { type Limits, QUERY_TIMEOUT_MS, queryRows, type Row, type SqlValue, withConnection } from './duckdb';
import { listParts } from './folder';

/** A page in the order of names: how many rows it takes behind which name. */
export interface NamePage {
  after: string;
  rows: number;
}

/**
 * Filters of keys by the rules they violate (lib/findings). Filters by rule, strength, exemption and owner are asked
 * through it, so that a list holds the very keys that were counted.
 */
export interface RuleFilter {
  /** Of the policy. */
  hash: string;
  /** Adds to a WHERE clause what the filter's `rule`, `strength`, `exempt` and `owner` mean. */
  and(where: { bind(value: SqlValue): string; and(term: string): unknown }, filter: KeyFilter): void;
  /** Keys and bytes under a query, where they are known without asking the keys. */
  totals(source: Source, query: ReportQuery): Promise<{ keys: number; bytes: number } | null>;
  /**
   * The sub-select behind FROM, narrowed to where such keys can be; in the order of names. `page`: only so many rows
   * behind that name are wanted, in that order (null: all of them).
   */
  narrowed(source: Source, query: ReportQuery, page: NamePage | null): Promise<string>;
}

/** A snapshot as the askers know it: where it lies and what its description says. */
export interface SnapshotRef {
  dir: string;
  manifest: SnapshotManifest;
  /** What is a bigkey here; the standards' numbers where nobody says otherwise. */
  bigkeys?: BigkeyThresholds;
  /** What the keys are checked against, where the question is about rules. */
  policy?: EffectivePolicy;
  ruleFilter?: RuleFilter;
  /** Aborted when whoever asks has gone: what is being asked for them is interrupted. */
  signal?: AbortSignal;
}

/** What a question is asked of: the same columns (columns.ts) whether sealed or live. */
export interface Source extends SnapshotRef {
  bigkeys: BigkeyThresholds;
  /** A sub-select in brackets; goes behind FROM. Holds nothing a user wrote. */
  readonly keys: string;
  readonly live: boolean;
  /** The moment TTLs are counted from, epoch ms. */
  readonly asOf: number;
  query<T extends Row>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  readonly connection: DuckDBConnection;
}

export async function withSource<T>(
  ref: SnapshotRef,
  use: (source: Source) => Promise<T>,
  limits: Limits = {},
): Promise<T> {
  const { dir, manifest, ruleFilter, bigkeys = STANDARD_THRESHOLDS } = ref;
  const live = manifest.state !== 'sealed';
  const keys = live ? await liveKeys(dir) : await sealedKeys(dir);
  const signal = limits.signal ?? ref.signal;
  return withConnection(dir, { timeoutMs: QUERY_TIMEOUT_MS, ...limits, signal }, (connection) =>
    use({
      dir,
      keys,
      live,
      asOf: asOfSnapshot(manifest),
      manifest,
      bigkeys,
      ...(ruleFilter && { ruleFilter }),
      connection,
      query: (sql, values = []) => queryRows(connection, sql, values),
    }),
  );
}

/** Throws AppError('snapshot_unreadable') when the sealed file is not there. */
export async function assertReadable(dir: string): Promise<void> {
  try {
    await access(path.join(dir, SEALED_FILE));
  } catch (error) {
    throw new AppError('snapshot_unreadable', 'The file of this snapshot is missing.', {}, { cause: error });
  }
}

async function sealedKeys(dir: string): Promise<string> {
  await assertReadable(dir);
  return `(${sealedSql(dir)})`;
}

async function liveKeys(dir: string): Promise<string> {
  const parts = await listParts(dir);
  return parts.length > 0 ? `(${partsSql(dir, parts)})` : `(${NO_PARTS_SQL})`;
}
