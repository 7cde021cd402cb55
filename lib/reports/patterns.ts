import { filterWhere } from '@/lib/key-query/filter-where';
import { sortOf } from '@/lib/key-query/sort-of';
import { keyTemplateSql } from '@/lib/key-query/template-sql';
import { average, type TotalsRow, totalsOf, totalsSql } from '@/lib/key-query/totals-sql';
import { moduleKeys, moduleTypeSql, type TypeCounts, typeCountsSql, typesOf } from '@/lib/key-query/type-counts';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { PatternRow, PatternsReport } from '@/lib/model/reports/reports';
import type { Source } from '@/lib/snapshots/with-source';

/** Key templates: names with every id folded. More than one type under one template is a smell. */
const DEFAULT_LIMIT = 100;
const MANY_KEYS = 50_000;
const SORTS: Record<string, { sql: string; of: (row: PatternRow) => number | string | null }> = {
  keys: { sql: 'keys', of: (p) => p.keys },
  bytes: { sql: 'bytes', of: (p) => p.bytes },
  name: { sql: 'template', of: (p) => p.template },
  avg: { sql: 'bytes / nullif(keys - bytesUnknown, 0)', of: (p) => p.avgBytes },
  noexpiry: { sql: 'noExpiry', of: (p) => p.noExpiry },
};
const DEFAULT_SORT = '-keys';

const orderOf = ({ sort }: ReportQuery) => sortOf(sort?.toLowerCase(), SORTS, DEFAULT_SORT);

/** Templates that were answered with a wide limit, sorted and cut as wanted; null when it would need what was cut. */
export function arrangePatterns(wide: PatternsReport, query: ReportQuery): PatternsReport | null {
  const sort = orderOf(query);
  const limit = query.limit ?? DEFAULT_LIMIT;
  if (wide.templateCount > wide.patterns.length && (limit > wide.patterns.length || !isSorted(wide.patterns, sort)))
    return null;
  return { ...wide, patterns: [...wide.patterns].sort(comparing(sort)).slice(0, limit) };
}

/** A cut list was cut in the order it lies in. */
function isSorted(patterns: PatternRow[], sort: string): boolean {
  const compare = comparing(sort);
  return patterns.every((row, i) => i === 0 || compare(patterns[i - 1]!, row) <= 0);
}

function comparing(sort: string): (a: PatternRow, b: PatternRow) => number {
  const { of } = SORTS[sort.replace('-', '')]!;
  const direction = sort.startsWith('-') ? -1 : 1;
  const text = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  return (a, b) => {
    const [x, y] = [of(a), of(b)];
    let first: number;
    if (x === null || y === null) first = (x === null ? 1 : 0) - (y === null ? 1 : 0);
    else first = direction * (typeof x === 'string' ? text(x, y as string) : x - (y as number));
    return first || b.keys - a.keys || text(a.template, b.template);
  };
}

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
  const where = filterWhere(query, source, query.delimiter);
  const sort = orderOf(query);
  const bySql = `${SORTS[sort.replace('-', '')]!.sql} ${sort.startsWith('-') ? 'DESC' : 'ASC'} NULLS LAST`;
  const template = keyTemplateSql(where, query.delimiter ?? ':');
  const limit = query.limit ?? DEFAULT_LIMIT;
  const base = `SELECT ${template} AS template, name, type, bytes, expire_at, expiry_known FROM ${source.keys} ${where.sql}`;
  const order = `${bySql}, keys DESC, template LIMIT ${limit}`;
  const ordering = `${totalsSql}, count(*) FILTER (expire_at IS NULL AND expiry_known) AS noExpiry`;
  const closely = (from: string) => `SELECT template, ${ordering}, min(expire_at) AS minTtl,
    quantile_disc(expire_at, 0.5) AS p50Ttl, max(expire_at) AS maxTtl, any_value(name) AS example, ${typeCountsSql}
    FROM (${from}) GROUP BY template`;
  // Medians and examples of a million templates would not fit into memory: where there may be many, the templates are
  // ordered first and only those shown are looked at closely.
  const rows = await source.query<Row>(
    (await mayBeMany(source, query))
      ? `WITH found AS MATERIALIZED (SELECT template, ${ordering} FROM (${base}) GROUP BY template),
         top AS MATERIALIZED (SELECT template FROM found ORDER BY ${order})
         SELECT shown.*, (SELECT count(*) FROM found) AS templates
         FROM (${closely(`SELECT r.* FROM (${base}) r SEMI JOIN top USING (template)`)}) shown ORDER BY ${order}`
      : `SELECT *, count(*) OVER () AS templates FROM (${closely(base)}) ORDER BY ${order}`,
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

async function mayBeMany(source: Source, query: ReportQuery): Promise<boolean> {
  const where = filterWhere(query, source, query.delimiter);
  const [row] = await source.query<{ n: number }>(
    `SELECT count(*) AS n FROM ${source.keys} ${where.sql}`,
    where.values,
  );
  return (row?.n ?? 0) > MANY_KEYS;
}
