import type { ReportQuery } from '@/lib/model/reports/query';
import type { SelectedKeys } from '@/lib/snapshots/key-query/keys-where';
import { bigkeySql } from '@/lib/snapshots/query/bigkey-sql';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { RolledSource } from '@/lib/snapshots/reports/facts';
import { momentPartsSql, momentSql } from '@/lib/snapshots/rollup/classes';
import { toTemplate } from '@/lib/snapshots/rollup/open-rollup';
import { findRollupScope } from '@/lib/snapshots/rollup/scope';
import { CUT } from '@/lib/snapshots/rollup/settle-paths';

/** If there are more templates, they are ordered first, and details are computed only for those that are shown. */
const MAX_TEMPLATES = 2000;

/**
 * The templates on the path of a query, if they are few: whatever else the query filters by, its keys have no other
 * template. The files store templates as numbers, so grouping by them costs less than reading names. null: there are
 * many, or they are not known.
 */
export function listTemplatesOnPath(source: RolledSource, query: ReportQuery): ReadonlySet<string> | null {
  const { prefix, template, delimiter = TEMPLATE_DELIMITER } = query;
  const scope = findRollupScope(source.rollup, 'cells', { prefix, template, delimiter });
  const paths = scope?.paths.map((number) => source.rollup!.paths[number]!);
  if (!paths || paths.some(({ segments }) => segments.includes(CUT))) return null;
  const found = new Set(paths.map(toTemplate));
  return found.size <= MAX_TEMPLATES ? found : null;
}

/**
 * SQL that groups keys by template, type and moment of expiry, so that a report can compute several things in one pass
 * over the keys. With few templates there are no more groups than the roll-up keeps. The names of the few groups that
 * are shown are read by their places.
 *
 *   template · type · step · begins (both NULL: no expiry) → keys, sized, bytes, maxBytes, noExpiry, bigkeys,
 *   minExpire, maxExpire, firstPlace, lastPlace
 *
 * @param asked The keys, with their places.
 */
export const templateGroupsSql = (source: RolledSource, { keys, where }: SelectedKeys): string =>
  `SELECT * EXCLUDE (moment), ${momentPartsSql(source.asOf)} FROM (
     SELECT template, type, moment, ${templateSumsSql(source)}
     FROM (SELECT template, type, place, bytes, expire_at, expiry_known, ${bigkeySql(source.bigkeys)} AS big, ${momentSql(source.asOf)} AS moment
       FROM ${keys} ${where.sql})
     GROUP BY 1, 2, 3)`;

/** If no template of the query can contain bigkeys, the predicate is skipped. */
const templateSumsSql = ({ known }: RolledSource) =>
  `count(*) AS keys, count(bytes) AS sized, coalesce(sum(bytes), 0)::DOUBLE AS bytes, max(bytes) AS maxBytes,
   count(*) FILTER (expire_at IS NULL AND expiry_known) AS noExpiry, ${known?.big.size === 0 ? '0' : 'count(*) FILTER (big)'} AS bigkeys,
   min(expire_at) AS minExpire, max(expire_at) AS maxExpire, min(place) AS firstPlace, max(place) AS lastPlace`;
