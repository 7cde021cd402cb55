import type { AskedKeys } from '@/lib/key-query/keys-where';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { RolledSource } from '@/lib/reports/facts';
import { momentPartsSql, momentSql } from '@/lib/rollup/classes';
import { templateOf } from '@/lib/rollup/open-rollup';
import { rollupScope } from '@/lib/rollup/scope';
import { CUT } from '@/lib/rollup/settle-paths';
import { bigkeySql } from '@/lib/snapshots/query/bigkey-sql';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';

/** More are ordered before they are looked at closely. */
const MAX_TEMPLATES = 2000;

/**
 * The templates on the path of a question, where they are few: whatever else it filters by, keys of no other are meant.
 * They lie in the files as numbers, so that to group by them costs less than to look at any name. null: they are many,
 * or not known.
 */
export function templatesOnPath(source: RolledSource, query: ReportQuery): ReadonlySet<string> | null {
  const { prefix, template, delimiter = TEMPLATE_DELIMITER } = query;
  const scope = rollupScope(source.rollup, 'cells', { prefix, template, delimiter });
  const paths = scope?.paths.map((number) => source.rollup!.paths[number]!);
  if (!paths || paths.some(({ segments }) => segments.includes(CUT))) return null;
  const found = new Set(paths.map(templateOf));
  return found.size <= MAX_TEMPLATES ? found : null;
}

/**
 * Keys by template, type and moment of expiry: one pass for a report that asks several things of them. Of few
 * templates they are no more groups than the roll-up keeps. Names are read at the places of the few that are shown.
 *
 *   template · type · step · begins (both NULL: no expiry) → keys, sized, bytes, maxBytes, noExpiry, bigkeys,
 *   minExpire, maxExpire, firstPlace, lastPlace
 *
 * @param asked With places.
 */
export const templateGroupsSql = (source: RolledSource, { keys, where }: AskedKeys): string =>
  `SELECT * EXCLUDE (moment), ${momentPartsSql(source.asOf)} FROM (
     SELECT template, type, moment, ${templateSums(source)}
     FROM (SELECT template, type, place, bytes, expire_at, expiry_known, ${bigkeySql(source.bigkeys)} AS big, ${momentSql(source.asOf)} AS moment
       FROM ${keys} ${where.sql})
     GROUP BY 1, 2, 3)`;

/** Where no key of the question is big, none is looked at for it. */
const templateSums = ({ known }: RolledSource) =>
  `count(*) AS keys, count(bytes) AS sized, coalesce(sum(bytes), 0)::DOUBLE AS bytes, max(bytes) AS maxBytes,
   count(*) FILTER (expire_at IS NULL AND expiry_known) AS noExpiry, ${known?.big.size === 0 ? '0' : 'count(*) FILTER (big)'} AS bigkeys,
   min(expire_at) AS minExpire, max(expire_at) AS maxExpire, min(place) AS firstPlace, max(place) AS lastPlace`;
