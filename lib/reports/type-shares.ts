import { average, type TotalsRow, totalsOf } from '@/lib/key-query/totals-sql';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { TypeShare } from '@/lib/model/reports/reports';
import { sizeStepSql } from '@/lib/rollup/classes';
import { rollupScope } from '@/lib/rollup/scope';
import { factsOf, keyFacts, type RolledSource } from './facts';

/**
 * Keys and sizes per type. Percentiles are exact below 1 KiB and at most 1.6 % too small above: sizes are counted in
 * steps (lib/rollup/classes.ts), of which there are few, so that no percentile holds every value in memory.
 */
export async function typeShares(source: RolledSource, query: ReportQuery): Promise<TypeShare[]> {
  const facts = factsOf(source, query);
  const rows = await source.query<TotalsRow & { type: string | null; maxBytes: number | null; withExpiry: number }>(
    `SELECT type, ${facts.totals}, ${facts.maxBytes} AS maxBytes, ${facts.keys(facts.any)} AS withExpiry
     FROM ${facts.rows} ${facts.where.sql} GROUP BY type ORDER BY keys DESC, type`,
    facts.where.values,
  );
  const percentiles = await percentilesOf(source, query);
  return rows.map((row) => {
    const found = percentiles.find(({ type }) => type === row.type);
    return {
      type: row.type,
      ...totalsOf(row),
      avgBytes: average(row.bytes, row.keys - row.bytesUnknown),
      p50Bytes: found?.p50 ?? null,
      p99Bytes: found?.p99 ?? null,
      maxBytes: row.maxBytes,
      withExpiry: row.withExpiry,
    };
  });
}

function percentilesOf(source: RolledSource, query: ReportQuery) {
  const scope = rollupScope(source.rollup, 'sizes', query);
  const { rows, where } = scope ?? keyFacts(source, query);
  if (scope === null) where.and('bytes IS NOT NULL');
  const [step, n] = scope === null ? [sizeStepSql, 'count(*)'] : ['step', 'sum(n)'];
  return source.query<{ type: string | null; p50: number; p99: number }>(
    `WITH steps AS (SELECT type, ${step} AS size, ${n} AS n FROM ${rows} ${where.sql} GROUP BY 1, 2),
     running AS (SELECT *, sum(n) OVER (PARTITION BY type ORDER BY size) AS upto, sum(n) OVER (PARTITION BY type) AS sized FROM steps)
     SELECT type, min(size) FILTER (upto >= ceil(sized * 0.5)) AS p50, min(size) FILTER (upto >= ceil(sized * 0.99)) AS p99
     FROM running GROUP BY type`,
    where.values,
  );
}
