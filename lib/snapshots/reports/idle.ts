import type { ReportQuery } from '@/lib/model/reports/query';
import type { IdleReport } from '@/lib/model/reports/reports';
import { sumTotals, type TotalsRow, toTotals } from '@/lib/snapshots/key-query/totals-sql';
import { FREQ_BOUNDS, IDLE_BOUNDS } from '@/lib/snapshots/rollup/classes';
import { buildFacts, idleForSql, type RolledSource } from './facts';
import { buildPrefixFacts } from './grouping/by-prefix';

const DAY = 86_400;
const DEFAULT_DAYS = 30;
const DEFAULT_LIMIT = 50;

/**
 * The report on idle time: how long keys were not accessed (or, under an LFU policy, how often they are used), and
 * which prefixes have memory that nobody uses. Buckets are half-open [from, to), in seconds or frequency steps, and
 * contain only known values.
 */
export async function buildIdleReport(source: RolledSource, query: ReportQuery): Promise<IdleReport> {
  const facts = buildFacts(source, query);
  const { rows, where } = facts;
  // The scan skips the idle times of shared integers: see docs/SCANNING.md.
  const shared = `encoding = 'int' AND NOT (${facts.isIdle}) AND NOT (${facts.isFreq})`;
  const counted = await source.query<Counted>(
    `SELECT ${facts.idleBucket} AS idle, ${facts.freqBucket} AS freq, ${facts.keys(shared)} AS shared, ${facts.totals}
     FROM ${rows} ${where.sql} GROUP BY 1, 2`,
    where.values,
  );
  const isKnown = (field: 'idle' | 'freq') => counted.some((row) => row[field] !== null);
  const kind = isKnown('idle') ? 'idle' : isKnown('freq') ? 'freq' : 'none';
  const idleDays = query.days ?? DEFAULT_DAYS;
  if (kind === 'none') return { kind, buckets: [], unknown: sumTotals(counted), byPrefix: [], idleDays };
  const bounds = kind === 'idle' ? IDLE_BOUNDS : FREQ_BOUNDS;
  return {
    kind,
    buckets: bounds.map((from, i) => {
      const { keys, bytes } = sumTotals(counted.filter((row) => row[kind] === i));
      return { from, to: bounds[i + 1] ?? null, keys, bytes };
    }),
    unknown: sumTotals(counted.filter((row) => row[kind] === null)),
    sharedIntegers: counted.reduce((sum, row) => sum + row.shared, 0),
    byPrefix: kind === 'idle' ? await readIdleByPrefix(source, query, idleDays) : [],
    idleDays,
  };
}

/** Keys by bucket of idle time or frequency; null: unknown. */
type Counted = TotalsRow & { idle: number | null; freq: number | null; shared: number };

async function readIdleByPrefix(
  source: RolledSource,
  query: ReportQuery,
  days: number,
): Promise<IdleReport['byPrefix']> {
  const seconds = days * DAY;
  const { facts, from } = buildPrefixFacts(source, query, (candidate) => idleForSql(candidate, seconds) !== null);
  const isIdle = idleForSql(facts, seconds)!;
  const found = await source.query<TotalsRow & { prefix: string; idleKeys: number; idleBytes: number }>(
    `SELECT label AS prefix, ${facts.totals}, ${facts.keys(isIdle)} AS idleKeys, ${facts.bytes(isIdle)} AS idleBytes
     FROM ${from} GROUP BY 1 HAVING idleKeys > 0
     ORDER BY idleBytes DESC, idleKeys DESC, prefix LIMIT ${query.limit ?? DEFAULT_LIMIT}`,
    facts.where.values,
  );
  return found.map((row) => ({
    prefix: row.prefix,
    ...toTotals(row),
    idleKeys: row.idleKeys,
    idleBytes: row.idleBytes,
  }));
}
