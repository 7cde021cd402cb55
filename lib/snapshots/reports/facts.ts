import type { ReportQuery } from '@/lib/model/reports/query';
import { type BoundedSource, selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';
import { totalsSql } from '@/lib/snapshots/key-query/totals-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { bigkeySql, perhapsBigkeySql, recognisedSql } from '@/lib/snapshots/query/bigkey-sql';
import {
  BIG,
  bucketSql,
  FREQ_BOUNDS,
  FREQ_FIRST,
  IDLE_BOUNDS,
  PERHAPS_BIG,
  RECOGNISED,
  sizeClassSql,
  TTL_AHEAD,
  TTL_EXPIRED,
  TTL_NONE,
  TTL_UNKNOWN,
  ttlClassSql,
} from '@/lib/snapshots/rollup/classes';
import type { Rollup } from '@/lib/snapshots/rollup/open-rollup';
import { findRollupScope, type Scope } from '@/lib/snapshots/rollup/scope';
import type { KindsOfBig } from './grouping/kinds-of-big';

/** A source with its roll-up, if one was found (null: none). */
export interface RolledSource extends BoundedSource {
  rollup: Rollup | null;
  /** Predicates about kinds of bigkeys that do not occur are skipped. null: not known. */
  known?: KindsOfBig | null;
}

/**
 * SQL of what reports count, for the table that is read: cells of the roll-up, which are sums, or the keys themselves.
 * A report is written once for both, so they cannot differ.
 */
export interface Facts {
  /** null: the keys are read. */
  scope: Scope | null;
  /** SQL to put after FROM. It is filtered by `where`, which also holds the values of the query. */
  rows: string;
  where: Where;
  /** SQL for the columns keys, bytes and bytesUnknown. */
  totals: string;
  /** Aggregates over the rows for which a predicate is true. */
  keys(predicate: string): string;
  bytes(predicate: string): string;
  bytesUnknown(predicate: string): string;
  /** Predicates about one row, as SQL. */
  none: string;
  any: string;
  unknown: string;
  expired: string;
  big: string;
  perhapsBig: string;
  recognised: string;
  isIdle: string;
  isFreq: string;
  /** Index of the class; NULL if the idle time, or frequency, is unknown. */
  idleBucket: string;
  freqBucket: string;
  /** SQL for the classes of expiry and size (classes.ts). */
  ttlClass: string;
  sizeClass: string;
  /** Aggregates. */
  maxBytes: string;
  minExpire: string;
  maxExpire: string;
  example: string;
}

/** Facts from the roll-up if it can answer the query, otherwise from the keys. */
export function buildFacts(source: RolledSource, query: ReportQuery): Facts {
  const scope = findRollupScope(source.rollup, 'cells', query);
  return scope === null ? buildKeyFacts(source, query) : buildCellFacts(scope);
}

/** Facts computed from the keys, even if the roll-up could answer. */
export function buildKeyFacts(source: RolledSource, query: ReportQuery): Facts {
  const { keys, where } = selectFilteredKeys(source, query);
  const unlessNone = (kind: 'big' | 'perhaps' | 'recognised', sql: string) =>
    source.known?.[kind] === false ? 'false' : sql;
  return {
    scope: null,
    rows: keys,
    where,
    totals: totalsSql,
    keys: (predicate) => `count(*) FILTER (${predicate})`,
    bytes: (predicate) => `coalesce(sum(bytes) FILTER (${predicate}), 0)::DOUBLE`,
    bytesUnknown: (predicate) => `count(*) FILTER ((${predicate}) AND bytes IS NULL)`,
    none: 'expire_at IS NULL AND expiry_known',
    any: 'expire_at IS NOT NULL',
    unknown: 'NOT expiry_known',
    expired: `expire_at <= ${source.asOf}`,
    big: unlessNone('big', bigkeySql(source.bigkeys)),
    perhapsBig: unlessNone('perhaps', perhapsBigkeySql(source.bigkeys)),
    recognised: unlessNone('recognised', recognisedSql(source.bigkeys)),
    isIdle: 'idle_seconds IS NOT NULL',
    isFreq: 'freq IS NOT NULL',
    idleBucket: bucketSql('idle_seconds', IDLE_BOUNDS),
    freqBucket: bucketSql('freq', FREQ_BOUNDS),
    ttlClass: ttlClassSql(source.asOf),
    sizeClass: sizeClassSql,
    maxBytes: 'max(bytes)',
    minExpire: 'min(expire_at)',
    maxExpire: 'max(expire_at)',
    example: 'min(name)',
  };
}

/** Facts of keys that one query has grouped as the roll-up groups them. */
export const buildGroupedFacts = (rows: string): Facts =>
  buildCellFacts({ rows, where: new Where(), paths: [], onPath: [] });

/** Facts computed from cells of the roll-up. */
export function buildCellFacts(scope: Scope): Facts {
  const ttlAny = `ttl = ${TTL_EXPIRED} OR ttl >= ${TTL_AHEAD}`;
  return {
    scope,
    rows: scope.rows,
    where: scope.where,
    totals: CELL_TOTALS,
    keys: (predicate) => `coalesce(sum(n) FILTER (${predicate}), 0)::BIGINT`,
    bytes: (predicate) => `coalesce(sum(total) FILTER (${predicate}), 0)::DOUBLE`,
    bytesUnknown: (predicate) => `coalesce(sum(n - sized) FILTER (${predicate}), 0)::BIGINT`,
    none: `ttl = ${TTL_NONE}`,
    any: ttlAny,
    unknown: `ttl = ${TTL_UNKNOWN}`,
    expired: `ttl = ${TTL_EXPIRED}`,
    big: `big = ${BIG}`,
    perhapsBig: `big = ${PERHAPS_BIG}`,
    recognised: `big = ${RECOGNISED}`,
    isIdle: `idle BETWEEN 1 AND ${FREQ_FIRST - 1}`,
    isFreq: `idle >= ${FREQ_FIRST}`,
    idleBucket: `CASE WHEN idle BETWEEN 1 AND ${FREQ_FIRST - 1} THEN idle - 1 END`,
    freqBucket: `CASE WHEN idle >= ${FREQ_FIRST} THEN idle - ${FREQ_FIRST} END`,
    ttlClass: 'ttl',
    sizeClass: 'size',
    maxBytes: 'max(maxBytes)',
    minExpire: 'min(minExpire)',
    maxExpire: 'max(maxExpire)',
    example: 'min(first)',
  };
}

/** The columns of `totalsSql` (key-query/totals-sql.ts) for tables that hold sums. */
export const CELL_TOTALS =
  'coalesce(sum(n), 0)::BIGINT AS keys, coalesce(sum(total), 0)::DOUBLE AS bytes, coalesce(sum(n - sized), 0)::BIGINT AS bytesUnknown';

/**
 * SQL that is true for keys idle for at least `seconds`; null: cells cannot tell, because this is no bound of a class.
 */
export function idleForSql({ scope }: Facts, seconds: number): string | null {
  if (scope === null) return `idle_seconds >= ${Math.ceil(seconds)}`;
  const bound = IDLE_BOUNDS.indexOf(seconds);
  return bound < 0 ? null : `idle BETWEEN ${bound + 1} AND ${FREQ_FIRST - 1}`;
}

/** Separates texts that are bound as one; names contain no control characters. */
const SEPARATOR = '\u0002';

/**
 * SQL for a table of these columns, to put after FROM. Each column is bound as one text and must have at least one row.
 */
export function listedSql(where: Where, columns: Record<string, readonly string[]>): string {
  const unnested = Object.entries(columns).map(
    ([name, texts]) => `unnest(string_split(${where.bind(texts.join(SEPARATOR))}::VARCHAR, chr(2))) AS ${name}`,
  );
  return `(SELECT ${unnested.join(', ')})`;
}

/** SQL for cells, or another table of the roll-up, with an additional column `label`, which depends on the path. */
export function labelledSql({ rows, where, paths }: Scope, toLabel: (path: number) => string): string {
  const labels = listedSql(where, { path: paths.map(String), label: paths.map(toLabel) });
  return `(SELECT * FROM (SELECT * FROM ${rows} ${where.sql}) JOIN (SELECT path::UINTEGER AS path, label FROM ${labels}) USING (path))`;
}
