import { type TotalsRow, totalsOf } from '@/lib/key-query/totals-sql';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { IdleReport } from '@/lib/model/reports/reports';
import { FREQ_BOUNDS, IDLE_BOUNDS } from '@/lib/rollup/classes';
import { prefixFacts } from './by-prefix';
import { factsOf, idleForSql, type RolledSource } from './facts';

/**
 * How long nobody touched the keys (or, under an LFU policy, how often they are used), and which prefixes hold what
 * nobody needs. Buckets are half-open [from, to), seconds or frequency steps; only known values are in them.
 */
const DAY = 86_400;
const DEFAULT_DAYS = 30;
const DEFAULT_LIMIT = 50;

export async function idle(source: RolledSource, query: ReportQuery): Promise<IdleReport> {
  const facts = factsOf(source, query);
  const { rows, where } = facts;
  const shared = `encoding = 'int' AND NOT (${facts.isIdle}) AND NOT (${facts.isFreq})`;
  const [known] = await source.query<TotalsRow & { idles: number; freqs: number; shared: number }>(
    `SELECT ${facts.keys(facts.isIdle)} AS idles, ${facts.keys(facts.isFreq)} AS freqs, ${facts.keys(shared)} AS shared, ${facts.totals}
     FROM ${rows} ${where.sql}`,
    where.values,
  );
  const kind = known!.idles > 0 ? 'idle' : known!.freqs > 0 ? 'freq' : 'none';
  const idleDays = query.days ?? DEFAULT_DAYS;
  if (kind === 'none') return { kind, buckets: [], unknown: totalsOf(known), byPrefix: [], idleDays };
  const bounds = kind === 'idle' ? IDLE_BOUNDS : FREQ_BOUNDS;
  const counted = await source.query<TotalsRow & { bucket: number | null }>(
    `SELECT ${kind === 'idle' ? facts.idleBucket : facts.freqBucket} AS bucket, ${facts.totals} FROM ${rows} ${where.sql} GROUP BY 1`,
    where.values,
  );
  return {
    kind,
    buckets: bounds.map((from, i) => {
      const found = counted.find((row) => row.bucket === i);
      return { from, to: bounds[i + 1] ?? null, keys: found?.keys ?? 0, bytes: found?.bytes ?? 0 };
    }),
    unknown: totalsOf(counted.find((row) => row.bucket === null)),
    // What the scan leaves out: see docs/SCANNING.md.
    sharedIntegers: known!.shared,
    byPrefix: kind === 'idle' ? await idleByPrefix(source, query, idleDays) : [],
    idleDays,
  };
}

async function idleByPrefix(source: RolledSource, query: ReportQuery, days: number): Promise<IdleReport['byPrefix']> {
  const seconds = days * DAY;
  const { facts, from } = prefixFacts(source, query, (asked) => idleForSql(asked, seconds) !== null);
  const isIdle = idleForSql(facts, seconds)!;
  const found = await source.query<TotalsRow & { prefix: string; idleKeys: number; idleBytes: number }>(
    `SELECT label AS prefix, ${facts.totals}, ${facts.keys(isIdle)} AS idleKeys, ${facts.bytes(isIdle)} AS idleBytes
     FROM ${from} GROUP BY 1 HAVING idleKeys > 0
     ORDER BY idleBytes DESC, idleKeys DESC, prefix LIMIT ${query.limit ?? DEFAULT_LIMIT}`,
    facts.where.values,
  );
  return found.map((row) => ({
    prefix: row.prefix,
    ...totalsOf(row),
    idleKeys: row.idleKeys,
    idleBytes: row.idleBytes,
  }));
}
