/** This file computes the children of a path from the keys. */

import type { ReportQuery } from '@/lib/model/reports/query';
import type { Totals, TreeReport } from '@/lib/model/reports/reports';
import { buildFilterWhere, memberSql } from '@/lib/snapshots/key-query/filter-where';
import { type BoundedSource, type SelectedKeys, selectKeysWhere } from '@/lib/snapshots/key-query/keys-where';
import { limitToPathEnd } from '@/lib/snapshots/key-query/limit-to-nodes';
import { delimitersSql, limitToTemplate, MAX_PATH_SEGMENTS } from '@/lib/snapshots/key-query/limit-to-template';
import { totalsSql } from '@/lib/snapshots/key-query/totals-sql';
import type { Where } from '@/lib/snapshots/key-query/where-clause';
import { foldedSegmentSql } from '@/lib/snapshots/name-sql/folded-segment-sql';
import { bigkeySql } from '@/lib/snapshots/query/bigkey-sql';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { Source } from '@/lib/snapshots/query/with-source';
import { listedSql, type RolledSource } from '@/lib/snapshots/reports/cells';
import { listTemplatesOnPath } from '@/lib/snapshots/reports/grouping/by-template';
import { type MedianRow, mediansSql, momentsSql } from '@/lib/snapshots/reports/grouping/medians';
import type { TypeCount } from '@/lib/snapshots/reports/grouping/types-by-label';
import { withGroups } from '@/lib/snapshots/reports/grouping/with-groups';
import { momentPartsSql, momentSql } from '@/lib/snapshots/rollup/classes';
import { FOLD_ABOVE } from '@/lib/snapshots/rollup/settle-paths';
import { compileChildMatch } from './child-match';
import {
  buildChildDetails,
  LABEL_SQL,
  type Level,
  NO_CHILD_DETAILS,
  type NodeRow,
  orderSql,
  type Page,
  parseLevel,
  parsePage,
  parseTreeSort,
  pickShownRows,
  sortsByDerived,
  toChildLabel,
  toDirectSort,
  toTreeReport,
} from './tree-level';

/** With more different segments than this a level is wide. */
const WIDE_LEVEL = 50_000;

/** Aggregates by which a level can be ordered; they stay small however many nodes there are. */
const ordering = `${totalsSql}, max(bytes) AS maxBytes,
  count(*) FILTER (expire_at IS NULL AND expiry_known) AS noExpiry, count(*) FILTER (big) AS bigkeys`;
const aggregates = `${ordering}, count(*) FILTER (leaf) AS leafKeys,
  min(expire_at) AS minExpire, max(expire_at) AS maxExpire, min(name) AS example, max(name) AS lastName`;

/** A row for a child, with the sums of all children. */
type LevelRow = NodeRow & { nodes: number; allKeys: number; allBytes: number; allUnknown: number };

const FOLDED_ENDS =
  'min(template) FILTER (form IS NOT NULL) AS firstTemplate, max(template) FILTER (form IS NOT NULL) AS lastTemplate';
/** SQL for the first and last template of folded children, if the files have templates by this delimiter. */
const endsSql = (source: Source, level: Level) =>
  !source.live && level.delimiter === TEMPLATE_DELIMITER ? FOLDED_ENDS : 'NULL AS firstTemplate, NULL AS lastTemplate';

/** Selects the keys on the path of a level. If a query has both fields, its template is that path. */
function selectLevelKeys(source: BoundedSource, query: ReportQuery, level: Level): SelectedKeys {
  const { prefix, template, ...filter } = query;
  const searched = () => source.searched?.(query, level.delimiter) ?? null;
  return selectKeysWhere(source, (context) => {
    const where = buildFilterWhere(
      template ? { ...filter, prefix } : filter,
      { ...source, ...context, searched },
      level.delimiter,
    );
    limitToTemplate(where, level.path, level.delimiter, { hasColumn: !source.live });
    if (query.exact && level.path !== '') limitToPathEnd(where, level.path, level.delimiter);
    return where;
  });
}

/** @param nodes A SELECT of all children. */
const totalledSql = (nodes: string, order: string, cut: string): string =>
  `SELECT *, count(*) OVER () AS nodes, sum(keys) OVER () AS allKeys, sum(bytes) OVER () AS allBytes,
     sum(bytesUnknown) OVER () AS allUnknown
   FROM (${nodes}) ORDER BY ${order} ${cut}`;

const toLevelSums = ([first]: readonly LevelRow[]): Totals & { nodes: number } => ({
  keys: first?.allKeys ?? 0,
  bytes: first?.allBytes ?? 0,
  bytesUnknown: first?.allUnknown ?? 0,
  nodes: first?.nodes ?? 0,
});

/** SQL for the rows of this level with `segment` (the text after the path) and `leaf` (whether the name ends there). */
export function selectSegments(source: RolledSource, query: ReportQuery, level: Level): { sql: string; where: Where } {
  const { keys, where } = selectLevelKeys(source, query, level);
  const separator = `${where.bind(level.delimiter)}::VARCHAR`;
  const columns = 'name, template, type, expire_at, expiry_known, bytes, length, big';
  const from = `FROM (SELECT *, ${source.withoutBigkeys ? 'false' : bigkeySql(source.bigkeys)} AS big FROM ${keys} ${where.sql})`;
  // A path that ends within a segment (`user:1`) groups by that whole segment, as folded paths do.
  const isComplete = level.path === '' || level.path.endsWith(level.delimiter);
  const isDeepest = level.depth >= MAX_PATH_SEGMENTS;
  if (level.literal === null || !isComplete || isDeepest) {
    const segment = isDeepest ? afterSql(separator, level.depth) : `split_part(name, ${separator}, ${level.depth + 1})`;
    const leaf = isDeepest ? 'true' : `${delimitersSql(separator)} = ${level.depth}`;
    return { sql: `SELECT ${columns}, ${segment} AS segment, ${leaf} AS leaf ${from}`, where };
  }
  const rest = `substr(name, ${Array.from(level.literal).length + 1})`;
  return {
    sql: `SELECT ${columns}, split_part(rest, ${separator}, 1) AS segment, NOT contains(rest, ${separator}) AS leaf
          FROM (SELECT ${columns}, ${rest} AS rest ${from})`,
    where,
  };
}

/** SQL for the text after the first `depth` delimiters. */
function afterSql(separator: string, depth: number): string {
  return `array_to_string(string_split(name, ${separator})[${depth + 1}:], ${separator})`;
}

/**
 * @param forms The forms that are folded on the level, known from the roll-up. Then the types and moments of expiry of
 * its children are no more groups than the roll-up has rows, so one pass finds them. null: the keys of the query decide
 * what is folded.
 */
export async function buildKeyTree(
  source: RolledSource,
  query: ReportQuery,
  forms: readonly string[] | null,
): Promise<TreeReport> {
  const level = parseLevel(query);
  const page = parsePage(query);
  const match = compileChildMatch(query.match);
  const limitToMatch = (rows: string) => (match ? `SELECT * FROM (${rows}) WHERE ${match.sql(where)}` : rows);
  const { sql, where } = selectSegments(source, query, level);
  if (forms !== null)
    return withGroups(
      source,
      limitToMatch(groupedSql(source, query, where, sql, level, forms)),
      where.values,
      (groups) => buildTreeOfGroups(source, groups, { level, sort: parseTreeSort(query), page }),
    );
  const wide = await isWide(source, sql, where);
  const sort = wide ? toDirectSort(parseTreeSort(query)) : parseTreeSort(query);
  const shaped = limitToMatch(shapedSql(sql, { fold: query.fold ?? true, wide }));
  const cut = sortsByDerived(sort) ? '' : `LIMIT ${page.limit} OFFSET ${page.offset}`;
  const rows = await source.query<LevelRow>(
    (wide ? wideSql : narrowSql)(shaped, { order: orderSql(sort), cut, ends: endsSql(source, level) }),
    where.values,
  );
  // After the last page there is no row that has the totals.
  if (rows.length === 0 && page.offset > 0) return buildEmptyPage(source, query, page);
  const all = toLevelSums(rows);
  const labels = rows.map(toChildLabel);
  if (labels.length === 0) return toTreeReport(level, sort, [], all, NO_CHILD_DETAILS, { asOf: source.asOf, page });
  // Use GROUP BY and not count(DISTINCT ...), whose values do not count towards the memory limit.
  if (wide && rows.some((row) => row.form !== null)) {
    const members = await source.query<{ form: string; members: number }>(
      `SELECT form, count(*) AS members FROM (SELECT form, id FROM (${shaped}) WHERE form IS NOT NULL GROUP BY 1, 2) GROUP BY 1`,
      where.values,
    );
    for (const row of rows) row.folded = members.find(({ form }) => form === row.form)?.members ?? null;
  }
  const shown = `(SELECT * FROM (SELECT ${LABEL_SQL} AS label, type, bytes, expire_at FROM (${shaped})) SEMI JOIN ${listedSql(where, { label: labels })} USING (label))`;
  const types = await source.query<TypeCount & { bytes: number | null }>(
    `SELECT label, type, count(*) AS keys, sum(bytes)::DOUBLE AS bytes FROM ${shown} GROUP BY 1, 2`,
    where.values,
  );
  const medians = await source.query<MedianRow>(mediansSql(momentsSql(shown, source.asOf)), where.values);
  return toTreeReport(level, sort, rows, all, buildChildDetails(medians, types), { asOf: source.asOf, page });
}

async function buildEmptyPage(
  source: RolledSource,
  { cursor: _, ...query }: ReportQuery,
  { offset }: Page,
): Promise<TreeReport> {
  const report = await buildKeyTree(source, { ...query, limit: 1 }, null);
  const { keys, bytes, bytesUnknown, childCount } = report;
  const rest = childCount > 0 ? { keys, bytes, bytesUnknown, nodes: childCount } : null;
  return { ...report, children: [], rest, offset, nextCursor: null };
}

/**
 * SQL that groups keys by child, type and moment of expiry. Templates cost far less to read than names, so keys are
 * grouped by them, and by the segment of their names (`id`) only where that is an id that is not folded.
 */
function groupedSql(
  source: RolledSource,
  query: ReportQuery,
  where: Where,
  rows: string,
  { depth }: Level,
  forms: readonly string[],
): string {
  const delimiter = `'${TEMPLATE_DELIMITER}'`;
  const written = `split_part(template, ${delimiter}, ${depth + 1})`;
  const known = forms.map((form) => `${where.bind(form)}::VARCHAR`).join(', ');
  const isFolded = forms.length === 0 ? 'false' : `${written} IN (${known})`;
  const templates = listTemplatesOnPath(source, query);
  const withId = [...(templates ?? [])].filter((template) => {
    const segment = template.split(TEMPLATE_DELIMITER)[depth] ?? '';
    return /[{\\]/.test(segment) && !forms.includes(segment);
  });
  const isId =
    templates === null ? `NOT ${isFolded}` : withId.length === 0 ? 'false' : memberSql(where, 'template', withId);
  const groups = `SELECT template, id, type, moment, ${ordering}, min(expire_at) AS minExpire, max(expire_at) AS maxExpire,
      min(name) AS example, max(name) AS lastName
    FROM (SELECT *, CASE WHEN ${isId} THEN segment END AS id, ${momentSql(source.asOf)} AS moment FROM (${rows}))
    GROUP BY 1, 2, 3, 4`;
  return `SELECT * EXCLUDE (moment), CASE WHEN form IS NULL THEN coalesce(id, ${written}) END AS segment,
      CASE WHEN len(string_split(template, ${delimiter})) = ${depth + 1} THEN keys ELSE 0 END AS leafKeys, ${momentPartsSql(source.asOf)}
    FROM (SELECT *, CASE WHEN ${isFolded} THEN ${written} END AS form FROM (${groups}))`;
}

/** Computes the children, their types and their medians from groups, which were made in one pass over the keys. */
async function buildTreeOfGroups(
  source: Source,
  groups: string,
  { level, sort, page }: { level: Level; sort: string; page: Page },
): Promise<TreeReport> {
  const sums = ['keys', 'bytesUnknown', 'noExpiry', 'bigkeys', 'leafKeys'].map(
    (one) => `sum(${one})::BIGINT AS ${one}`,
  );
  const nodes = `SELECT form, segment, NULL AS folded, ${sums.join(', ')}, sum(bytes) AS bytes, max(maxBytes) AS maxBytes,
    min(minExpire) AS minExpire, max(maxExpire) AS maxExpire, min(example) AS example, max(lastName) AS lastName,
    ${FOLDED_ENDS} FROM ${groups} GROUP BY 1, 2`;
  const all = await source.query<LevelRow>(totalledSql(nodes, orderSql(sort), ''));
  const types = await source.query<TypeCount & { bytes: number | null }>(
    `SELECT ${LABEL_SQL} AS label, type, sum(keys)::BIGINT AS keys, sum(bytes)::DOUBLE AS bytes FROM ${groups} GROUP BY 1, 2`,
  );
  const medians = await source.query<MedianRow>(
    mediansSql(`(SELECT ${LABEL_SQL} AS label, step, begins, keys AS n FROM ${groups} WHERE step IS NOT NULL)`),
  );
  const rows = pickShownRows(all, level, sort, page);
  return toTreeReport(level, sort, rows, toLevelSums(all), buildChildDetails(medians, types), {
    asOf: source.asOf,
    page,
  });
}

/**
 * SQL for the rows with `form` (NULL for segments that are shown as they are), `id` (the segment as it is in the name)
 * and `segment` (NULL if folded). What is folded is decided once per different segment, of which there are few. On a
 * wide level every id is folded, because finding out which are few would mean keeping all of them.
 */
function shapedSql(rows: string, { fold, wide }: { fold: boolean; wide: boolean }): string {
  if (!fold) return `SELECT *, segment AS id, NULL::BIGINT AS members, NULL::VARCHAR AS form FROM (${rows})`;
  const folded = (from: string) =>
    `SELECT * REPLACE (CASE WHEN form IS NULL THEN segment END AS segment) FROM (${from})`;
  if (wide)
    return folded(
      `SELECT r.*, segment AS id, NULL::BIGINT AS members, ${foldedSegmentSql('segment')} AS form FROM (${rows}) r`,
    );
  const few = `SELECT segment, members, CASE WHEN members > ${FOLD_ABOVE} THEN form END AS form
    FROM (SELECT *, count(*) OVER (PARTITION BY form) AS members FROM (SELECT segment, ${foldedSegmentSql('segment')} AS form FROM (SELECT DISTINCT segment FROM (${rows}))))`;
  return folded(`SELECT r.*, r.segment AS id, members, few.form FROM (${rows}) r JOIN (${few}) few USING (segment)`);
}

const nodesSql = (rows: string, ends: string) =>
  `SELECT form, segment, CASE WHEN form IS NOT NULL THEN any_value(members) END AS folded, ${aggregates}, ${ends} FROM (${rows}) GROUP BY 1, 2`;

interface Shown {
  order: string;
  cut: string;
  ends: string;
}
const narrowSql = (rows: string, { order, cut, ends }: Shown): string => totalledSql(nodesSql(rows, ends), order, cut);

/**
 * On a level of a million different names, medians, examples and types of each would take more memory than there is. So
 * nodes are first ordered by small values, and details are computed only for those that are shown. (Such a level cannot
 * be ordered by its medians: `sort` in the answer says what it was ordered by.)
 */
function wideSql(rows: string, { order, cut, ends }: Shown): string {
  const same = 'r.form IS NOT DISTINCT FROM t.form AND r.segment IS NOT DISTINCT FROM t.segment';
  return `WITH nodes AS MATERIALIZED (SELECT form, segment, ${ordering} FROM (${rows}) GROUP BY 1, 2),
    top AS MATERIALIZED (SELECT form, segment FROM nodes ORDER BY ${order} ${cut}),
    sums AS (SELECT count(*) AS nodes, sum(keys)::DOUBLE AS allKeys, sum(bytes) AS allBytes, sum(bytesUnknown)::DOUBLE AS allUnknown FROM nodes)
    SELECT shown.*, sums.* FROM (${nodesSql(`SELECT r.* FROM (${rows}) r SEMI JOIN top t ON ${same}`, ends)}) shown, sums ORDER BY ${order}`;
}

async function isWide(source: Source, sql: string, where: Where): Promise<boolean> {
  const [row] = await source.query<{ n: number }>(
    `SELECT approx_count_distinct(segment) AS n FROM (${sql})`,
    where.values,
  );
  // Ids are counted too, though they are folded, so a level of many ids pays for a second pass that it would not need.
  return (row?.n ?? 0) > WIDE_LEVEL;
}
