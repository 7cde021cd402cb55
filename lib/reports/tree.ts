import { filterWhere } from '@/lib/key-query/filter-where';
import { escapePath, literalPrefix, parsePath } from '@/lib/key-query/folded-path';
import { sortOf } from '@/lib/key-query/sort-of';
import { delimitersSql, MAX_PATH_SEGMENTS, templateRange } from '@/lib/key-query/template-range';
import { average, type TotalsRow, totalsOf, totalsSql } from '@/lib/key-query/totals-sql';
import { moduleKeys, moduleTypeSql, type TypeCounts, typeCountsSql, typesOf } from '@/lib/key-query/type-counts';
import type { Where } from '@/lib/key-query/where-clause';
import { escapeSegment } from '@/lib/model/names/folded-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { Totals, TreeNode, TreeReport } from '@/lib/model/reports/reports';
import { wellFormed } from '@/lib/model/well-formed';
import { foldedSegmentSql } from '@/lib/name-sql/folded-segment-sql';
import { bigkeySql } from '@/lib/snapshots/bigkey-sql';
import type { Source } from '@/lib/snapshots/with-source';

/**
 * The children of a path. One child per segment; segments with ids become one child of their folded form (`{int}`,
 * `user_{int}`: lib/model/names/folded-segment.ts) when the level has more than 20 different ones of it. The path
 * comes in the folded form by `template`, or as the beginning of names by `prefix`. A name that ends here is a leaf,
 * one that goes on a branch; a child can be both. Empty segments (`a::b`) are segments. Beyond 64 levels the rest of
 * a name is one leaf.
 */
export const FOLD_ABOVE = 20;
const DEFAULT_LIMIT = 100;
/** Answers kept for later hold this many children, enough for any order of all but the widest levels. */
export const WIDE_LIMIT = 1000;
const DEFAULT_SORT = '-keys';
/** More different segments than this are a wide level. */
const WIDE_LEVEL = 50_000;

/** Sorts of children: in SQL for the cut, and again here after unfolding. Unknown values come last either way. */
const SORTS: Record<string, { sql: string; of: (node: TreeNode) => number | string | null }> = {
  keys: { sql: 'keys', of: (n) => n.keys },
  bytes: { sql: 'bytes', of: (n) => n.bytes },
  name: { sql: 'coalesce(form, segment)', of: (n) => n.segment },
  avg: { sql: 'bytes / nullif(keys - bytesUnknown, 0)', of: (n) => n.avgBytes },
  max: { sql: 'maxBytes', of: (n) => n.maxBytes },
  noexpiry: { sql: 'noExpiry', of: (n) => n.noExpiry },
  bigkeys: { sql: 'bigkeys', of: (n) => n.bigkeys },
  ttl: { sql: 'ttlP50', of: (n) => n.ttlP50Seconds },
};

const orderOf = ({ sort }: ReportQuery) => sortOf(sort?.toLowerCase(), SORTS, DEFAULT_SORT);

type NodeRow = TotalsRow & {
  /** The folded form; null for a segment that stands for itself. */
  form: string | null;
  segment: string | null;
  folded: number | null;
  leafKeys: number;
  maxBytes: number | null;
  noExpiry: number;
  ttlP50: number | null;
  bigkeys: number;
  example: string;
  nodes: number;
  allKeys: number;
  allBytes: number;
  allUnknown: number;
} & TypeCounts;

/** By these a level can be ordered; they stay small however many nodes there are. */
const ordering = `${totalsSql}, max(bytes) AS maxBytes,
  count(*) FILTER (expire_at IS NULL AND expiry_known) AS noExpiry, count(*) FILTER (big) AS bigkeys`;
const aggregates = `${ordering}, count(*) FILTER (leaf) AS leafKeys,
  quantile_disc(expire_at, 0.5) AS ttlP50, ${typeCountsSql}, any_value(name) AS example`;

interface Level {
  /** In folded form, ending with the delimiter unless empty. */
  path: string;
  depth: number;
  delimiter: string;
  /** Set when nothing on the path is folded: names on it begin with this text. */
  literal: string | null;
}

/** A prefix is what names begin with, here as in every report; only a template has folded ids. */
function pathOf(query: ReportQuery, delimiter: string): string {
  return wellFormed(query.template || escapePath(query.prefix ?? '', delimiter));
}

function levelOf(query: ReportQuery): Level {
  const delimiter = query.delimiter ?? ':';
  const path = pathOf(query, delimiter);
  const parsed = parsePath(path, delimiter);
  const literal = literalPrefix(parsed, delimiter);
  return { path, depth: parsed.parts.length, delimiter, literal: literal.whole ? literal.text : null };
}

/** Rows of this level with `segment` (what stands after the path) and `leaf` (the name ends there). */
function segmented(source: Source, query: ReportQuery, level: Level): { sql: string; where: Where } {
  const { prefix, template, ...filter } = query;
  const where = filterWhere(template ? { ...filter, prefix } : filter, source, level.delimiter);
  templateRange(where, level.path, level.delimiter);
  const separator = `${where.bind(level.delimiter)}::VARCHAR`;
  const columns = 'name, type, expire_at, expiry_known, bytes, length, big';
  const from = `FROM (SELECT *, ${bigkeySql(source.bigkeys)} AS big FROM ${source.keys} ${where.sql})`;
  // A path that ends within a segment (`user:1`) groups by that whole segment, as folded paths do.
  const complete = level.path === '' || level.path.endsWith(level.delimiter);
  if (level.literal === null || !complete || level.depth >= MAX_PATH_SEGMENTS) {
    const segment =
      level.depth >= MAX_PATH_SEGMENTS
        ? afterSql(separator, level.depth)
        : `split_part(name, ${separator}, ${level.depth + 1})`;
    const leaf = level.depth >= MAX_PATH_SEGMENTS ? 'true' : `${delimitersSql(separator)} = ${level.depth}`;
    return { sql: `SELECT ${columns}, ${segment} AS segment, ${leaf} AS leaf ${from}`, where };
  }
  const rest = `substr(name, ${Array.from(level.literal).length + 1})`;
  return {
    sql: `SELECT ${columns}, split_part(rest, ${separator}, 1) AS segment, NOT contains(rest, ${separator}) AS leaf
          FROM (SELECT ${columns}, ${rest} AS rest ${from})`,
    where,
  };
}

/** What stands behind the first `depth` delimiters. */
function afterSql(separator: string, depth: number): string {
  return `array_to_string(string_split(name, ${separator})[${depth + 1}:], ${separator})`;
}

export async function tree(source: Source, query: ReportQuery): Promise<TreeReport> {
  const level = levelOf(query);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const { sql, where } = segmented(source, query, level);
  const wide = await isWide(source, sql, where);
  const asked = orderOf(query);
  const sort = wide && asked.endsWith('ttl') ? DEFAULT_SORT : asked;
  const bySql = `${SORTS[sort.replace('-', '')]!.sql} ${sort.startsWith('-') ? 'DESC' : 'ASC'} NULLS LAST`;
  const order = `${bySql}, keys DESC, coalesce(form, segment) ASC LIMIT ${limit}`;
  const shaped = shapedSql(sql, query.fold ?? true, wide);
  const rows = await source.query<NodeRow>((wide ? wideSql : narrowSql)(shaped, order), where.values);
  const nodes = rows.map((row) => toNode(row, level, source.asOf)).sort(comparing(sort));
  const first = rows[0];
  const all = { keys: first?.allKeys ?? 0, bytes: first?.allBytes ?? 0, bytesUnknown: first?.allUnknown ?? 0 };
  const childCount = first?.nodes ?? 0;
  const children = nodes.slice(0, limit);
  await nameModuleTypes(source, rows, children, shaped, where);
  return {
    ...all,
    path: level.path,
    depth: level.depth,
    delimiter: level.delimiter,
    sort,
    children,
    rest: restOf(all, children, childCount),
    childCount,
  };
}

/**
 * The rows with `form` (NULL for segments that are shown themselves), `id` (the segment as it stands in the name) and
 * `segment` (NULL where folded). What is folded is found out once per different segment, of which there are few; on a
 * wide level every id is folded, because to know which are few all would have to be kept.
 */
function shapedSql(rows: string, fold: boolean, wide: boolean): string {
  if (!fold) return `SELECT *, segment AS id, 0 AS members, NULL::VARCHAR AS form FROM (${rows})`;
  const folded = (from: string) =>
    `SELECT * REPLACE (CASE WHEN form IS NULL THEN segment END AS segment) FROM (${from})`;
  if (wide) return folded(`SELECT r.*, segment AS id, ${foldedSegmentSql('segment')} AS form FROM (${rows}) r`);
  const forms = `SELECT segment, members, CASE WHEN members > ${FOLD_ABOVE} THEN form END AS form
    FROM (SELECT *, count(*) OVER (PARTITION BY form) AS members FROM (SELECT segment, ${foldedSegmentSql('segment')} AS form FROM (SELECT DISTINCT segment FROM (${rows}))))`;
  return folded(
    `SELECT r.*, r.segment AS id, members, forms.form FROM (${rows}) r JOIN (${forms}) forms USING (segment)`,
  );
}

const nodesSql = (rows: string, members: string) =>
  `SELECT form, segment, CASE WHEN form IS NOT NULL THEN ${members} END AS folded, ${aggregates} FROM (${rows}) GROUP BY 1, 2`;

function narrowSql(rows: string, order: string): string {
  return `SELECT *, count(*) OVER () AS nodes, sum(keys) OVER () AS allKeys, sum(bytes) OVER () AS allBytes,
    sum(bytesUnknown) OVER () AS allUnknown
    FROM (${nodesSql(rows, 'any_value(members)')}) ORDER BY ${order}`;
}

/**
 * A level of a million different names: medians, examples and types of each would take more memory than there is. So
 * the nodes are ordered by what is small first, and only those that will be shown are looked at closely. (Ordering such
 * a level by its medians is not offered: `sort` in the answer says what it was ordered by.)
 */
function wideSql(rows: string, order: string): string {
  // By 64 bits of a digest, which tell millions apart; the database's own hash() does not, of names that look alike.
  const members = 'count(DISTINCT CASE WHEN form IS NOT NULL THEN md5_number_lower(id) END)';
  const same = 'r.form IS NOT DISTINCT FROM t.form AND r.segment IS NOT DISTINCT FROM t.segment';
  return `WITH nodes AS MATERIALIZED (SELECT form, segment, ${ordering} FROM (${rows}) GROUP BY 1, 2),
    top AS MATERIALIZED (SELECT form, segment FROM nodes ORDER BY ${order}),
    sums AS (SELECT count(*) AS nodes, sum(keys)::DOUBLE AS allKeys, sum(bytes) AS allBytes, sum(bytesUnknown)::DOUBLE AS allUnknown FROM nodes)
    SELECT shown.*, sums.* FROM (${nodesSql(`SELECT r.* FROM (${rows}) r SEMI JOIN top t ON ${same}`, members)}) shown, sums ORDER BY ${order}`;
}

async function isWide(source: Source, sql: string, where: Where): Promise<boolean> {
  const [row] = await source.query<{ n: number }>(
    `SELECT approx_count_distinct(segment) AS n FROM (${sql})`,
    where.values,
  );
  // Ids count here too, though they fold: a level of many ids pays the second pass that it would not need.
  return (row?.n ?? 0) > WIDE_LEVEL;
}

/**
 * A level that was answered with WIDE_LIMIT, sorted and cut as the query wants it; null when it would need what was
 * cut.
 */
export function arrangeTree(wide: TreeReport, query: ReportQuery): TreeReport | null {
  const sort = orderOf(query);
  const limit = query.limit ?? DEFAULT_LIMIT;
  if (wide.rest !== null && (sort !== wide.sort || limit > wide.children.length)) return null;
  const children = [...wide.children].sort(comparing(sort)).slice(0, limit);
  return {
    ...wide,
    path: pathOf(query, wide.delimiter),
    sort,
    children,
    rest: restOf(wide, children, wide.childCount),
  };
}

function comparing(sort: string) {
  const { of } = SORTS[sort.replace('-', '')]!;
  const direction = sort.startsWith('-') ? -1 : 1;
  // By bytes of UTF-8, as the database sorts.
  const text = (a: string, b: string) => (a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return (a: TreeNode, b: TreeNode): number => {
    const [x, y] = [of(a), of(b)];
    let first: number;
    if (x === null || y === null) first = (x === null ? 1 : 0) - (y === null ? 1 : 0);
    else first = direction * (typeof x === 'string' ? text(x, y as string) : x - (y as number));
    return first || b.keys - a.keys || text(a.segment, b.segment);
  };
}

function restOf(all: Totals, children: TreeNode[], childCount: number): TreeReport['rest'] {
  if (childCount <= children.length) return null;
  const shown = (field: keyof Totals) => children.reduce((n, child) => n + child[field], 0);
  return {
    keys: all.keys - shown('keys'),
    bytes: all.bytes - shown('bytes'),
    bytesUnknown: all.bytesUnknown - shown('bytesUnknown'),
    nodes: childCount - children.length,
  };
}

function toNode(row: NodeRow, level: Level, asOf: number): TreeNode {
  const written = row.form ?? escapeSegment(row.segment!);
  const base = level.path.slice(0, level.path.lastIndexOf(level.delimiter) + level.delimiter.length);
  const path = (level.path.includes(level.delimiter) ? base : '') + written;
  const branchKeys = row.keys - row.leafKeys;
  return {
    ...totalsOf(row),
    segment: row.form ?? row.segment!,
    path: branchKeys > 0 ? path + level.delimiter : path,
    folded: row.folded,
    leafKeys: row.leafKeys,
    branchKeys,
    avgBytes: average(row.bytes, row.keys - row.bytesUnknown),
    maxBytes: row.maxBytes,
    noExpiry: row.noExpiry,
    ttlP50Seconds: row.ttlP50 === null ? null : Math.max(0, Math.floor((row.ttlP50 - asOf) / 1000)),
    bigkeys: row.bigkeys,
    types: typesOf(row),
    example: row.example,
  };
}

/** Types of modules are rare; only levels that have some pay for naming them. */
async function nameModuleTypes(
  source: Source,
  rows: NodeRow[],
  children: TreeNode[],
  shaped: string,
  where: Where,
): Promise<void> {
  if (!rows.some((row) => moduleKeys(row) > 0)) return;
  const found = await source.query<{ form: string | null; segment: string | null; type: string; keys: number }>(
    `SELECT form, segment, type, count(*) AS keys FROM (${shaped}) WHERE ${moduleTypeSql} GROUP BY 1, 2, 3 LIMIT 100000`,
    where.values,
  );
  for (const { form, segment, type, keys } of found) {
    const child = children.find((c) => (c.folded === null ? c.segment === segment : c.segment === form));
    if (child) child.types[type] = (child.types[type] ?? 0) + keys;
  }
}
