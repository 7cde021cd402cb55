import type { ReportQuery } from '@/lib/model/reports/query';
import type { OverviewReport, Totals, TypesReport } from '@/lib/model/reports/reports';
import { sumTotals, type TotalsRow } from '@/lib/snapshots/key-query/totals-sql';
import { waitForBoth } from '@/lib/snapshots/query/wait-for-both';
import { buildTreeReport } from '@/lib/snapshots/reports/tree/tree';
import { findRollupScope } from '@/lib/snapshots/rollup/scope';
import { buildFacts, buildGroupedFacts, type Facts, type RolledSource } from './facts';
import {
  buildCellSteps,
  buildSizeSteps,
  keyCellsSql,
  readPercentiles,
  type TypeSums,
  withPercentiles,
} from './grouping/type-shares';
import { withGroups } from './grouping/with-groups';

const TOP_PREFIXES = 20;

/** The overview: how many keys there are, of which types, where they are, and how they expire. */
export async function buildOverviewReport(source: RolledSource, query: ReportQuery): Promise<OverviewReport> {
  const { sort: _sort, cursor: _cursor, ...rest } = query;
  const ofTree: ReportQuery = { ...rest, limit: TOP_PREFIXES };
  const facts = buildFacts(source, query);
  const [{ parts, types }, top] = isRolled(source, query)
    ? await waitForBoth(
        readHeadline({ ...source, query: source.queryInParallel }, query, facts),
        buildTreeReport(source, ofTree),
      )
    : [await readHeadline(source, query, facts), await buildTreeReport(source, ofTree)];
  const sumField = (field: keyof Sums) => parts.reduce((n, part) => n + (part[field] as number), 0);
  return {
    keys: sumField('keys'),
    bytes: sumField('bytes'),
    bytesUnknown: sumField('bytesUnknown'),
    types,
    expiry: {
      none: sumField('none'),
      any: sumField('any'),
      unknown: sumField('unknown'),
      expired: sumField('expired'),
    },
    bigkeys: sumField('bigkeys'),
    bigkeyBytes: sumField('bigkeyBytes'),
    bigkeysUnknown: sumField('bigkeysUnknown'),
    databases: sumBy(parts, 'db').map(([db, totals]) => ({ db, ...totals })),
    nodes: sumBy(parts, 'node').map(([node, totals]) => ({
      node,
      address: source.manifest.nodes[node]?.address ?? '',
      ...totals,
    })),
    topPrefixes: top.children,
    prefixCount: top.childCount,
  };
}

const isRolled = ({ rollup }: RolledSource, query: ReportQuery) =>
  findRollupScope(rollup, 'cells', query) !== null && findRollupScope(rollup, 'sizes', query) !== null;

/** Sums of the keys of a database on a node, or (`ofType`) of a type. */
type Sums = TypeSums & {
  ofType: boolean;
  db: number;
  node: number;
  none: number;
  any: number;
  unknown: number;
  expired: number;
  bigkeys: number;
  bigkeyBytes: number;
  bigkeysUnknown: number;
};

interface Headline {
  parts: Sums[];
  types: TypesReport['types'];
}

/** Computes both in one statement, because most of its cost is planning. */
async function readHeadlineRows(
  source: RolledSource,
  facts: Facts,
  steps: ReturnType<typeof buildSizeSteps>,
): Promise<Headline> {
  const sums = await source.query<Sums>(
    `SELECT grouping(type) = 0 AS ofType, db, node, type, ${facts.totals}, ${facts.maxBytes} AS maxBytes,
       ${facts.keys(facts.none)} AS "none", ${facts.keys(facts.any)} AS "any", ${facts.keys(facts.any)} AS withExpiry,
       ${facts.keys(facts.unknown)} AS "unknown", ${facts.keys(facts.expired)} AS expired,
       ${facts.keys(facts.big)} AS bigkeys, ${facts.keys(facts.perhapsBig)} AS bigkeysUnknown,
       ${facts.bytes(facts.big)} AS bigkeyBytes
     FROM ${facts.rows} ${facts.where.sql} GROUP BY GROUPING SETS ((db, node), (type)) ORDER BY keys DESC, type`,
    facts.where.values,
  );
  const ofTypes = sums.filter(({ ofType }) => ofType);
  return {
    parts: sums.filter(({ ofType }) => !ofType),
    types: withPercentiles(ofTypes, await readPercentiles(source.query, steps)),
  };
}

/** With more nodes there would be too many groups by node and size. */
const FEW_NODES = 16;

/** With few nodes, keys are read in one pass if the roll-up cannot answer. */
async function readHeadline(source: RolledSource, query: ReportQuery, facts: Facts): Promise<Headline> {
  if (facts.scope !== null || source.manifest.nodes.length > FEW_NODES)
    return readHeadlineRows(source, facts, buildSizeSteps(source, query));
  return withGroups(source, keyCellsSql(source, facts), facts.where.values, (from) =>
    readHeadlineRows(source, buildGroupedFacts(from), buildCellSteps(from)),
  );
}

/** Sums by the numbers of databases or nodes, of which there are few. */
function sumBy<T extends TotalsRow & { db: number; node: number }>(
  parts: T[],
  field: 'db' | 'node',
): [number, Totals][] {
  const numbers = [...new Set(parts.map((part) => part[field]))].sort((a, b) => a - b);
  return numbers.map((number) => [number, sumTotals(parts.filter((part) => part[field] === number))]);
}
