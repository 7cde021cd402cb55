import { filterWhere } from '@/lib/key-query/filter-where';
import { prefixSql } from '@/lib/key-query/prefix-sql';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ExpiryStorm } from '@/lib/model/reports/reports';
import { stormScope } from '@/lib/rollup/storm-scope';
import { STORM_KEYS, STORM_TIMES, stormTablesSql } from '@/lib/rollup/storm-sql';
import type { RolledSource } from './facts';

/** Minutes in which unusually many keys of one prefix expire together (lib/rollup/storm-sql.ts). */
const MAX = 50;

export async function expiryStorms(source: RolledSource, asked: ReportQuery): Promise<ExpiryStorm[]> {
  // Only what is still to expire is in a storm.
  const { expiry, ...query } = asked;
  if (expiry !== undefined && expiry !== 'any') return [];
  const known = stormScope(source.rollup, query);
  const { sql, values } = known ?? ofKeys(source, query);
  const rows = await source.query<{ prefix: string; minute: number; keys: number; bytes: number; expected: number }>(
    `${sql} ORDER BY keys DESC, minute, prefix LIMIT ${MAX}`,
    values,
  );
  return rows.map((row) => ({
    minute: row.minute * 60_000,
    prefix: row.prefix,
    keys: row.keys,
    bytes: row.bytes,
    expected: row.expected,
    times: row.keys / row.expected,
  }));
}

function ofKeys(source: RolledSource, query: ReportQuery) {
  const where = filterWhere(query, source, query.delimiter);
  where.and(`expire_at > ${where.bind(BigInt(source.asOf))}::BIGINT`);
  const prefix = prefixSql(where, query.delimiter ?? ':');
  const tables = stormTablesSql(source.keys, where.sql, prefix, { keys: `${STORM_KEYS}`, times: `${STORM_TIMES}` });
  return { sql: `WITH ${tables} SELECT * FROM storms`, values: where.values };
}
