/**
 * The tables of one range of a snapshot, which can be summed with those of other ranges.
 *
 *   cells    path · node · db · type · encoding · ttl, size, idle (classes) · big → n, sized, total, measured,
 *            extremes, first
 *   sizes    path · db · type · encoding · ttl · size → steps of memory, n: percentiles
 *   moments  path · db · type · encoding · ttl · size → steps of expiry, n, sized, total: medians, the timeline
 *   ids      node (the path up to its first id, with only words before it) · leaf → segments, the id at which it begins
 *            and the one at which it ends
 *   slots, tags  see slots-sql.ts
 *
 * `n` is the number of keys, `sized` the number of keys whose memory is known, `total` the sum of this memory in bytes,
 * and `measured` the number of keys whose length is known. `first` is the first name in the order of names.
 */

import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import { KINDS } from '@/lib/model/names/written-segment';
import type { Connection } from '@/lib/snapshots/query/duckdb';
import {
  bigClassSql,
  idleClassSql,
  momentPartsSql,
  momentSql,
  sizeClassSql,
  sizeStepSql,
  ttlClassSql,
} from './classes';
import { dropPlan, planPaths } from './plan-paths';
import type { RollupFile } from './rollup-folder';
import { slotsSql, tagsSql } from './slots-sql';

interface RangeKeys {
  /** A sub-select in brackets with the columns of keys, in the order of names. */
  keys: string;
  /** Epoch ms. */
  asOf: number;
  bigkeys: BigkeyThresholds;
}

const CELL_DIMENSIONS = 'path, node, db, type, encoding, ttl, size, idle, big';
const STEP_DIMENSIONS = 'path, db, type, encoding, ttl, size';

/** Calls `write` with one statement after the other. The temporary tables that these read are dropped afterwards. */
export async function rollUpFile(
  connection: Connection,
  { keys, asOf, bigkeys }: RangeKeys,
  write: (table: RollupFile, select: string) => Promise<void>,
): Promise<void> {
  try {
    const rows = await planPaths(connection, keys);
    const classes = `${ttlClassSql(asOf)} AS ttl, ${sizeClassSql} AS size`;
    await write(
      'cells',
      `SELECT ${CELL_DIMENSIONS}, count(*)::BIGINT AS n, count(bytes)::BIGINT AS sized, coalesce(sum(bytes), 0)::DOUBLE AS total,
         min(bytes) AS minBytes, max(bytes) AS maxBytes, count(length)::BIGINT AS measured, min(length) AS minLength, max(length) AS maxLength,
         min(expire_at) AS minExpire, max(expire_at) AS maxExpire, min(name) AS first
       FROM (SELECT path, name, node, db, type, encoding, bytes, length, expire_at, ${classes}, ${idleClassSql} AS idle, ${bigClassSql(bigkeys)} AS big FROM ${rows})
       GROUP BY ALL`,
    );
    await write(
      'sizes',
      `SELECT ${STEP_DIMENSIONS}, step, count(*)::BIGINT AS n
       FROM (SELECT path, db, type, encoding, bytes, ${classes}, ${sizeStepSql} AS step FROM ${rows} WHERE bytes IS NOT NULL)
       GROUP BY ALL`,
    );
    await write(
      'moments',
      `SELECT ${STEP_DIMENSIONS}, ${momentPartsSql(asOf)}, n, sized, total
       FROM (SELECT ${STEP_DIMENSIONS}, moment, count(*)::BIGINT AS n, count(bytes)::BIGINT AS sized, coalesce(sum(bytes), 0)::DOUBLE AS total
         FROM (SELECT path, db, type, encoding, bytes, ${classes}, ${momentSql(asOf)} AS moment FROM ${rows} WHERE expire_at IS NOT NULL)
         GROUP BY ALL)`,
    );
    await write('slots', slotsSql(keys));
    await write('tags', tagsSql(keys));
    await write('ids', idsSql(keys));
  } finally {
    await dropPlan(connection);
  }
}

/**
 * SQL that counts different ids at the first position where a template has one, as changes between adjacent names.
 * Names come in order; among names that end with the id, and among names that continue after it, equal ids are
 * adjacent. Nothing is kept per id: a million ids of a range would all be in memory that the database does not count.
 */
function idsSql(keys: string): string {
  const node = `regexp_extract(template, '^(?:[^:]*:)*?[^:]*[{](?:${KINDS.join('|')})[}][^:]*')`;
  const position = `len(string_split(node, ':'))`;
  const segments = `SELECT node, split_part(name, ':', ${position}) AS segment, length(template) = length(node) AS leaf
      FROM (SELECT name, template, ${node} AS node FROM ${keys} WHERE contains(template, '{')) WHERE node <> ''`;
  // OVER () has no order of its own, so it uses the order of the rows, which is that of the names.
  const changes = (leaf: boolean) =>
    `SELECT node, ${leaf} AS leaf, segment, lag(segment) OVER () IS DISTINCT FROM segment OR lag(node) OVER () IS DISTINCT FROM node AS changed
     FROM (${segments}) WHERE ${leaf ? 'leaf' : 'NOT leaf'}`;
  return [true, false]
    .map(
      (
        leaf,
      ) => `SELECT node, leaf, count(*) FILTER (changed)::BIGINT AS segments, first(segment) AS begins, last(segment) AS ends
       FROM (${changes(leaf)}) GROUP BY 1, 2`,
    )
    .join(' UNION ALL ');
}
