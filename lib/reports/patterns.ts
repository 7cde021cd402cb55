import type { ReportQuery } from '@/lib/model/reports/query';
import type { PatternRow, PatternsReport } from '@/lib/model/reports/reports';
import type { Source } from '@/lib/snapshots/with-source';
import { templateSql } from './template-sql';
import { average, type TotalsRow, totalsOf, totalsSql } from './totals-sql';
import { moduleKeys, moduleTypeSql, type TypeCounts, typeCountsSql, typesOf } from './type-counts';
import { whereOf } from './where';

/** Key templates: names with every id folded. More than one type under one template is a smell. */
const DEFAULT_LIMIT = 100;
const SORTS: Record<string, string> = {
  keys: 'keys DESC',
  bytes: 'bytes DESC',
  name: 'template ASC',
  avg: 'bytes / greatest(keys - bytesUnknown, 1) DESC',
  noexpiry: 'noExpiry DESC',
};

type Row = TotalsRow & {
  template: string;
  noExpiry: number;
  minTtl: number | null;
  p50Ttl: number | null;
  maxTtl: number | null;
  example: string;
  templates: number;
} & TypeCounts;

export async function patterns(source: Source, query: ReportQuery): Promise<PatternsReport> {
  const where = whereOf(query, source.asOf, query.delimiter);
  const order = SORTS[query.sort?.replace('-', '').toLowerCase() ?? ''] ?? SORTS.keys!;
  const template = templateSql(where, query.delimiter ?? ':');
  const limit = query.limit ?? DEFAULT_LIMIT;
  const base = `SELECT ${template} AS template, name, type, bytes, expire_at, expiry_known FROM ${source.keys} ${where.sql}`;
  const rows = await source.query<Row>(
    `SELECT *, count(*) OVER () AS templates FROM (
       SELECT template, ${totalsSql}, count(*) FILTER (expire_at IS NULL AND expiry_known) AS noExpiry,
         min(expire_at) AS minTtl, quantile_disc(expire_at, 0.5) AS p50Ttl, max(expire_at) AS maxTtl,
         any_value(name) AS example, ${typeCountsSql}
       FROM (${base}) GROUP BY template)
     ORDER BY ${order}, keys DESC, template LIMIT ${limit}`,
    where.values,
  );
  const modules = rows.some((row) => moduleKeys(row) > 0)
    ? await source.query<{ template: string; type: string; keys: number }>(
        `SELECT template, type, count(*) AS keys FROM (${base}) WHERE ${moduleTypeSql} GROUP BY 1, 2 LIMIT 100000`,
        where.values,
      )
    : [];
  const typed = new Map(rows.map((row) => [row.template, typesOf(row)]));
  for (const { template: name, type, keys } of modules) {
    const counts = typed.get(name);
    if (counts) counts[type] = keys;
  }
  const seconds = (at: number | null) => (at === null ? null : Math.max(0, Math.floor((at - source.asOf) / 1000)));
  return {
    patterns: rows.map(
      (row): PatternRow => ({
        ...totalsOf(row),
        template: row.template,
        types: typed.get(row.template)!,
        noExpiry: row.noExpiry,
        minTtlSeconds: seconds(row.minTtl),
        p50TtlSeconds: seconds(row.p50Ttl),
        maxTtlSeconds: seconds(row.maxTtl),
        avgBytes: average(row.bytes, row.keys - row.bytesUnknown),
        example: row.example,
      }),
    ),
    templateCount: rows[0]?.templates ?? 0,
  };
}
