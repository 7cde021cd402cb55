/**
 * This file decides which path a query about the tree selects, how its children are ordered, and how a child is written
 * as a label.
 */

import { escapeSegment } from '@/lib/model/names/written-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { Totals, TreeNode, TreeReport } from '@/lib/model/reports/reports';
import { findLiteralPrefix, parsePath, toQueryPath } from '@/lib/snapshots/key-query/folded-path';
import { parseSort } from '@/lib/snapshots/key-query/parse-sort';
import { computeAverage, type TotalsRow, toTotals } from '@/lib/snapshots/key-query/totals-sql';
import { computeMedianSeconds, type MedianRow } from '@/lib/snapshots/reports/grouping/medians';
import { findMainTypes, groupTypesByLabel, type TypeCount } from '@/lib/snapshots/reports/grouping/types-by-label';
import { buildNextCursor, parseOffset } from '@/lib/snapshots/reports/offset-cursor';
import { type Ends, findOnlyDescent } from './find-only-descent';

const DEFAULT_LIMIT = 100;
const DEFAULT_SORT = '-keys';

/**
 * Orders of children: in SQL for the cut, and again here after unfolding. Unknown values come last in both. Values that
 * are found after the children (medians, types) have no SQL, so ordering by them needs all children. Shares are ordered
 * as they are shown, not by the numbers that they are shares of.
 */
const SORTS: Record<string, { sql: string | null; of: (node: TreeNode) => number | string | null }> = {
  keys: { sql: 'keys', of: (n) => n.keys },
  bytes: { sql: 'bytes', of: (n) => n.bytes },
  name: { sql: 'coalesce(form, segment)', of: (n) => n.segment },
  avg: { sql: 'bytes / nullif(keys - bytesUnknown, 0)', of: (n) => n.avgBytes },
  max: { sql: 'maxBytes', of: (n) => n.maxBytes },
  noexpiry: { sql: 'noExpiry / keys', of: (n) => n.noExpiry / n.keys },
  bigkeys: { sql: 'bigkeys', of: (n) => n.bigkeys },
  ttl: { sql: null, of: (n) => n.ttlP50Seconds },
  sharekeys: { sql: 'keys', of: (n) => n.keys },
  sharebytes: { sql: 'bytes', of: (n) => n.bytes },
  types: { sql: null, of: (n) => formatTypeMix(n) },
  // Findings are added by the code that knows the policy (lib/rules/report/order-by-findings.ts); until then all are
  // equal.
  findings: { sql: 'nullif(keys, keys)', of: (n) => (n.findings ? n.findings.mandatory / n.keys : null) },
};

/** Text to order by: the number of types, then the commonest type, so that similar nodes are next to each other. */
function formatTypeMix({ types }: TreeNode): string {
  const main = Object.entries(types).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0];
  return `${String(Object.keys(types).length).padStart(3, '0')} ${main?.[0] ?? ''}`;
}

/** The requested children, as a range of all children in their order. */
export interface Page {
  offset: number;
  limit: number;
}
export const parsePage = ({ limit, cursor }: ReportQuery): Page => ({
  offset: parseOffset(cursor),
  limit: limit ?? DEFAULT_LIMIT,
});
export const parseTreeSort = ({ sort }: ReportQuery) => parseSort(sort?.toLowerCase(), SORTS, DEFAULT_SORT);
const getSortSql = (sort: string) => SORTS[sort.replace('-', '')]!.sql;
/** Whether the order depends on values that are found after the children. */
export const sortsByDerived = (sort: string) => getSortSql(sort) === null;
export const toDirectSort = (sort: string) => (sortsByDerived(sort) ? DEFAULT_SORT : sort);
export const orderSql = (sort: string) =>
  `${getSortSql(sort) ?? 'keys'} ${sort.startsWith('-') ? 'DESC' : 'ASC'} NULLS LAST, keys DESC, coalesce(form, segment) ASC`;

export interface NodeRow extends TotalsRow, Ends {
  /** The folded form; null for a segment that is shown as it is. */
  form: string | null;
  segment: string | null;
  /** Number of different ids that the form stands for; null: unknown, or not a form. */
  folded: number | null;
  leafKeys: number;
  maxBytes: number | null;
  noExpiry: number;
  minExpire: number | null;
  maxExpire: number | null;
  bigkeys: number;
  example: string;
  /** The only way down as segments, if the roll-up has found it; otherwise the names decide. */
  descent?: readonly string[];
}

/** A child as one text. The prefix is needed because a form and a segment may look the same. */
export const toChildLabel = ({ form, segment }: Pick<NodeRow, 'form' | 'segment'>) =>
  form === null ? `=${segment}` : `~${form}`;
export const parseChildLabel = (label: string): Pick<NodeRow, 'form' | 'segment'> =>
  label.startsWith('~') ? { form: label.slice(1), segment: null } : { form: null, segment: label.slice(1) };
export const LABEL_SQL = `CASE WHEN form IS NULL THEN concat('=', segment) ELSE concat('~', form) END`;

export interface Level {
  /** The path in folded form. It ends with the delimiter unless it is empty. */
  path: string;
  depth: number;
  delimiter: string;
  /** The text with which names on the path begin, if nothing on it is folded; else null. */
  literal: string | null;
}

export function parseLevel(query: ReportQuery): Level {
  const delimiter = query.delimiter ?? ':';
  const path = toQueryPath(query, delimiter);
  const parsed = parsePath(path, delimiter);
  const literal = findLiteralPrefix(parsed, delimiter);
  return { path, depth: parsed.parts.length, delimiter, literal: literal.whole ? literal.text : null };
}

/** Values of the children that are found after them, by label. */
interface ChildDetails {
  medians: ReadonlyMap<string, MedianRow>;
  types: ReadonlyMap<string, Record<string, number>>;
  heaviest: ReadonlyMap<string, string>;
}
export const NO_CHILD_DETAILS: ChildDetails = { medians: new Map(), types: new Map(), heaviest: new Map() };
/** @param counted Keys and bytes by label and type. */
export const buildChildDetails = (
  medians: readonly MedianRow[],
  counted: readonly (TypeCount & { bytes: number | null })[],
): ChildDetails => ({
  medians: new Map(medians.map((row) => [row.label, row])),
  types: groupTypesByLabel(counted),
  heaviest: findMainTypes(counted, ({ bytes }) => bytes),
});

/**
 * Returns the children that will be shown, so that details are computed only for these; all of them if the order
 * depends on details.
 */
export function pickShownRows<R extends NodeRow>(
  rows: readonly R[],
  level: Level,
  sort: string,
  { offset, limit }: Page,
): R[] {
  if (sortsByDerived(sort)) return [...rows];
  const compare = createComparator(sort);
  return rows
    .map((row) => ({ row, node: toNode(row, level, NO_CHILD_DETAILS, 0) }))
    .sort((a, b) => compare(a.node, b.node))
    .slice(offset, offset + limit)
    .map(({ row }) => row);
}

/** @param rows Those of the page alone; all of them if the order depends on `details`. */
export function toTreeReport(
  level: Level,
  sort: string,
  rows: readonly NodeRow[],
  all: Totals & { nodes: number },
  details: ChildDetails,
  { asOf, page }: { asOf: number; page: Page },
): TreeReport {
  const nodes = rows.map((row) => toNode(row, level, details, asOf)).sort(createComparator(sort));
  const { offset, limit } = page;
  const children = sortsByDerived(sort) ? nodes.slice(offset, offset + limit) : nodes;
  const { nodes: childCount, ...totals } = all;
  return {
    ...totals,
    path: level.path,
    depth: level.depth,
    delimiter: level.delimiter,
    sort,
    children,
    rest: computeRest(totals, children, childCount),
    childCount,
    offset,
    nextCursor: buildNextCursor(offset, children.length, childCount),
  };
}

function createComparator(sort: string) {
  const { of } = SORTS[sort.replace('-', '')]!;
  const direction = sort.startsWith('-') ? -1 : 1;
  // Compare by bytes of UTF-8, as the database sorts.
  const compareTexts = (a: string, b: string) => (a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return (a: TreeNode, b: TreeNode): number => {
    const [x, y] = [of(a), of(b)];
    let first: number;
    if (x === null || y === null) first = (x === null ? 1 : 0) - (y === null ? 1 : 0);
    else first = direction * (typeof x === 'string' ? compareTexts(x, y as string) : x - (y as number));
    return first || b.keys - a.keys || compareTexts(a.segment, b.segment);
  };
}

/** Returns a page of a report that has all children, in the order of the report. */
export function pickPage(report: TreeReport, { offset, limit }: Page): TreeReport {
  const children = report.children.toSorted(createComparator(report.sort)).slice(offset, offset + limit);
  return {
    ...report,
    children,
    rest: computeRest(report, children, report.childCount),
    offset,
    nextCursor: buildNextCursor(offset, children.length, report.childCount),
  };
}

function computeRest(all: Totals, children: TreeNode[], childCount: number): TreeReport['rest'] {
  if (childCount <= children.length) return null;
  const sumShown = (field: keyof Totals) => children.reduce((n, child) => n + child[field], 0);
  return {
    keys: all.keys - sumShown('keys'),
    bytes: all.bytes - sumShown('bytes'),
    bytesUnknown: all.bytesUnknown - sumShown('bytesUnknown'),
    nodes: childCount - children.length,
  };
}

/**
 * Maximum number of further nodes that one row stands for: a name of a thousand segments would have a thousand of them.
 */
const MAX_DESCENT = 8;

function toNode(row: NodeRow, level: Level, { medians, types, heaviest }: ChildDetails, asOf: number): TreeNode {
  const written = row.form ?? escapeSegment(row.segment!);
  const base = level.path.slice(0, level.path.lastIndexOf(level.delimiter) + level.delimiter.length);
  const path = (level.path.includes(level.delimiter) ? base : '') + written;
  const branchKeys = row.keys - row.leafKeys;
  const own = branchKeys > 0 ? path + level.delimiter : path;
  const whole = row.leafKeys > 0 ? [] : (row.descent ?? findOnlyDescent(row, level.depth, level.delimiter));
  const descent = whole.slice(0, MAX_DESCENT);
  return {
    ...toTotals(row),
    segment: row.form ?? row.segment!,
    path: own,
    endPath: own + descent.map((segment) => segment + level.delimiter).join(''),
    folds: row.form !== null,
    folded: row.folded,
    leafKeys: row.leafKeys,
    branchKeys,
    avgBytes: computeAverage(row),
    maxBytes: row.maxBytes,
    noExpiry: row.noExpiry,
    ttlP50Seconds: computeMedianSeconds(medians.get(toChildLabel(row)), row, asOf),
    bigkeys: row.bigkeys,
    types: types.get(toChildLabel(row)) ?? {},
    heaviestType: heaviest.get(toChildLabel(row)) ?? null,
    example: row.example,
  };
}
