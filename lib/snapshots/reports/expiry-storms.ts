import { piecesOf } from '@/lib/model/names/written-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ExpiryStorm } from '@/lib/model/reports/reports';
import { memberSql } from '@/lib/snapshots/key-query/filter-where';
import { filteredKeys } from '@/lib/snapshots/key-query/keys-where';
import { nextPrefix } from '@/lib/snapshots/key-query/next-prefix';
import { prefixSql, TEMPLATE_PREFIX_SQL } from '@/lib/snapshots/key-query/prefix-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { SqlValue } from '@/lib/snapshots/query/duckdb';
import { tableSql } from '@/lib/snapshots/rollup/rollup-folder';
import { stormPrefixes, type UsualRow } from '@/lib/snapshots/rollup/storm-prefixes';
import { STORM_KEYS, STORM_TIMES, stormTablesSql } from '@/lib/snapshots/rollup/storm-sql';
import { listedSql, type RolledSource } from './facts';
import { templatesOnPath } from './grouping/by-template';

/**
 * Storms are minutes in which unusually many keys of one prefix expire together (lib/snapshots/rollup/storm-sql.ts). The roll-up
 * has the storms of whole prefixes, and shows which prefixes can have any under a filter. The keys are read only for
 * these. At most MAX storms are reported.
 */
const MAX = 50;

type Row = { prefix: string; minute: number; keys: number; bytes: number; ofKeys: number; expected: number };

/**
 * @param groups SQL to put after FROM: the keys as groups of one template each, with `ttl`, `step`, `begins` and `n`;
 * null: not known. Prefixes that cannot have storms by these groups need not be read.
 */
export async function expiryStorms(
  source: RolledSource,
  asked: ReportQuery,
  groups: string | null = null,
): Promise<ExpiryStorm[]> {
  // Only keys that have not expired yet can be in a storm.
  const { expiry, ...query } = asked;
  if (expiry !== undefined && expiry !== 'any') return [];
  const labelled =
    groups && prefixesAreOfTemplates(source, query)
      ? `(SELECT *, ${TEMPLATE_PREFIX_SQL} AS label FROM ${groups})`
      : null;
  const ask = (sql: string, values: SqlValue[]) => source.query<UsualRow>(sql, values);
  // Tables that were made for one query cannot answer another.
  const ofRollup = source.rollup?.split ? asked : query;
  const prefixes = await stormPrefixes(source.rollup, ofRollup, ask, labelled);
  const rows =
    prefixes === null
      ? await ofKeys(source, query, null)
      : [
          ...(prefixes.known.length > 0 ? await ofTable(source, prefixes.known) : []),
          ...(prefixes.asked.length > 0 ? await ofKeys(source, query, prefixes.asked) : []),
        ];
  return rows
    .sort((a, b) => b.keys - a.keys || a.minute - b.minute || byText(a.prefix, b.prefix))
    .slice(0, MAX)
    .map((row) => ({
      minute: row.minute * 60_000,
      prefix: row.prefix,
      keys: row.keys,
      bytes: row.bytes,
      ofKeys: row.ofKeys,
      expected: row.expected,
    }));
}

/** Compares by bytes of UTF-8, as the database sorts. */
const byText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

const LARGEST = `ORDER BY keys DESC, minute, prefix LIMIT ${MAX}`;

function ofTable({ rollup, query }: RolledSource, prefixes: readonly string[]): Promise<Row[]> {
  const where = new Where();
  const listed = listedSql(where, { prefix: prefixes });
  return query<Row>(
    `SELECT * FROM ${tableSql(rollup!.dir, 'storms')} SEMI JOIN ${listed} USING (prefix) ${LARGEST}`,
    where.values,
  );
}

/** @param prefixes The only ones that can have storms; null: any can. */
function ofKeys(source: RolledSource, query: ReportQuery, prefixes: readonly string[] | null): Promise<Row[]> {
  const { keys, where } = filteredKeys(source, query);
  where.and(`expire_at > ${where.bind(BigInt(source.asOf))}::BIGINT`);
  const byTemplate = prefixesAreOfTemplates(source, query);
  if (prefixes !== null && byTemplate) where.and(memberSql(where, TEMPLATE_PREFIX_SQL, prefixes));
  else if (prefixes !== null) andBegins(where, prefixes);
  const ofNames = () => labelSql(where, prefixes ?? [], prefixSql(where, query.delimiter ?? ':'));
  const prefix = byTemplate ? TEMPLATE_PREFIX_SQL : ofNames();
  const tables = stormTablesSql(keys, where.sql, prefix, { keys: `${STORM_KEYS}`, times: `${STORM_TIMES}` });
  return source.query<Row>(`WITH ${tables} SELECT * FROM storms ${LARGEST}`, where.values);
}

function prefixesAreOfTemplates(source: RolledSource, query: ReportQuery): boolean {
  const templates = templatesOnPath(source, query);
  return templates !== null && [...templates].every(tellsPrefix);
}

/**
 * Whether a template has the same prefix as its names, which it has not if the prefix contains ids. After the first
 * delimiter an id ends the prefix by its digits; only addresses may have none. Only in templates every brace ends the
 * prefix.
 */
function tellsPrefix(template: string): boolean {
  const [first, second] = template.split(TEMPLATE_DELIMITER);
  if (second === undefined) return true;
  if (/[{\\]/.test(first!)) return false;
  const ids = piecesOf(second).flatMap((piece) => ('kind' in piece ? [piece.kind] : []));
  return ids.length > 0 ? !ids.includes('email') : !/[{\\]/.test(second);
}

function andBegins(where: Where, prefixes: readonly string[]): void {
  if (prefixes.includes('')) return;
  const begins = prefixes.map((prefix) => `starts_with(name, ${where.bind(prefix)}::VARCHAR)`);
  // The range of all prefixes lets the database skip row groups; the condition on each prefix decides.
  const ordered = [...prefixes].sort(byText);
  where.and(
    `name >= ${where.bind(ordered[0]!)}::VARCHAR AND name < ${where.bind(nextPrefix(ordered.at(-1)!)!)}::VARCHAR`,
  );
  where.and(`(${begins.join(' OR ')})`);
}

/** SQL for the prefix of a name. A name that begins with a prefix of two segments needs no regular expression. */
function labelSql(where: Where, prefixes: readonly string[], other: string): string {
  const two = prefixes.filter((prefix) => /:.*:$/s.test(prefix)).map((prefix) => `${where.bind(prefix)}::VARCHAR`);
  return two.length === 0
    ? other
    : `CASE ${two.map((prefix) => `WHEN starts_with(name, ${prefix}) THEN ${prefix}`).join(' ')} ELSE ${other} END`;
}
