import type { ReportQuery } from '@/lib/model/reports/query';
import type { OverviewReport, Totals, TypesReport } from '@/lib/model/reports/reports';
import { sumTotals, type TotalsRow } from '@/lib/snapshots/key-query/totals-sql';
import { buildTreeReport } from '@/lib/snapshots/reports/tree/tree';
import { BIG, PERHAPS_BIG } from '@/lib/snapshots/rollup/classes';
import { type Decision, decide } from '@/lib/snapshots/rollup/scope';
import {
  CELL_TOTALS,
  countSql,
  HAS_EXPIRY,
  HAS_NO_EXPIRY,
  HAS_UNKNOWN_EXPIRY,
  IS_EXPIRED,
  type RolledSource,
  sumBytesSql,
  withSteps,
} from './cells';
import { readPercentiles, type TypeSums, withPercentiles } from './grouping/percentiles';

const TOP_PREFIXES = 20;

/** The overview: how many keys there are, of which types, where they are, and how they expire. */
export async function buildOverviewReport(
  source: RolledSource,
  decision: Decision,
  query: ReportQuery,
): Promise<OverviewReport> {
  const { parts, types } = await readHeadline(source, decision);
  const { sort: _sort, cursor: _cursor, ...rest } = query;
  const ofTree: ReportQuery = { ...rest, limit: TOP_PREFIXES };
  const top = await buildTreeReport(source, decide(source.rollup, 'level', ofTree), ofTree);
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

function readHeadline(source: RolledSource, decision: Decision): Promise<Headline> {
  return withSteps(source, decision, { cells: 'db, node, type, ttl, big', steps: 'sizes' }, async (cells, steps) => {
    // Count parts and types in one statement, because most of its cost is planning.
    const sums = await source.query<Sums>(
      `SELECT grouping(type) = 0 AS ofType, db, node, type, ${CELL_TOTALS}, max(maxBytes) AS maxBytes,
         ${countSql(HAS_NO_EXPIRY)} AS "none", ${countSql(HAS_EXPIRY)} AS "any", ${countSql(HAS_EXPIRY)} AS withExpiry,
         ${countSql(HAS_UNKNOWN_EXPIRY)} AS "unknown", ${countSql(IS_EXPIRED)} AS expired,
         ${countSql(`big = ${BIG}`)} AS bigkeys, ${countSql(`big = ${PERHAPS_BIG}`)} AS bigkeysUnknown,
         ${sumBytesSql(`big = ${BIG}`)} AS bigkeyBytes
       FROM ${cells.from} GROUP BY GROUPING SETS ((db, node), (type)) ORDER BY keys DESC, type`,
      cells.values,
    );
    const ofTypes = sums.filter(({ ofType }) => ofType);
    return {
      parts: sums.filter(({ ofType }) => !ofType),
      types: withPercentiles(ofTypes, await readPercentiles(source, steps)),
    };
  });
}

/** Sums by the numbers of databases or nodes, of which there are few. */
function sumBy<T extends TotalsRow & { db: number; node: number }>(
  parts: T[],
  field: 'db' | 'node',
): [number, Totals][] {
  const numbers = [...new Set(parts.map((part) => part[field]))].sort((a, b) => a - b);
  return numbers.map((number) => [number, sumTotals(parts.filter((part) => part[field] === number))]);
}
