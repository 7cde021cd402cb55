import { escapeSegment, splitPieces } from '@/lib/model/names/written-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ExpiryStorm } from '@/lib/model/reports/reports';
import { selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';
import { prefixSql, TEMPLATE_PREFIX_SQL, toPathPrefix } from '@/lib/snapshots/key-query/prefix-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import { tableSql } from '@/lib/snapshots/rollup/rollup-folder';
import { decide, findWholePrefixes, type Scope } from '@/lib/snapshots/rollup/scope';
import { STORM_KEYS, STORM_TIMES, stormTablesSql } from '@/lib/snapshots/rollup/storm-sql';
import { listedSql, type RolledSource } from './cells';
import { listTemplatesOnPath } from './grouping/by-template';

const MAX_STORMS = 50;

type Row = { prefix: string; minute: number; keys: number; bytes: number; ofKeys: number; expected: number };

/**
 * Finds the storms: minutes in which unusually many keys of one prefix expire together
 * (lib/snapshots/rollup/storm-sql.ts). The roll-up has the storms of whole prefixes. At most MAX_STORMS are reported.
 */
export async function findExpiryStorms(source: RolledSource, asked: ReportQuery): Promise<ExpiryStorm[]> {
  // Only keys that have not expired yet can be in a storm.
  const { expiry, ...query } = asked;
  if (expiry !== undefined && expiry !== 'any') return [];
  const decision = decide(source.rollup, 'storms', query);
  const rows = await (decision.kind === 'sums'
    ? readTableStorms(source, decision.scope)
    : readKeyStorms(source, query));
  return rows.map(({ minute, ...row }) => ({ ...row, minute: minute * 60_000 }));
}

const LARGEST = `ORDER BY keys DESC, minute, prefix LIMIT ${MAX_STORMS}`;

async function readTableStorms({ query }: RolledSource, scope: Scope): Promise<Row[]> {
  const storms = tableSql(scope.rollup.dir, 'storms');
  const whole = findWholePrefixes(scope)!;
  if (whole === 'all') return query<Row>(`SELECT * FROM ${storms} ${LARGEST}`);
  const all = await query<{ prefix: string }>(`SELECT DISTINCT prefix FROM ${storms}`);
  const prefix = all.map((row) => row.prefix).filter((written) => whole.has(foldPrefix(written)));
  const where = new Where();
  if (prefix.length === 0) return [];
  return query<Row>(
    `SELECT * FROM ${storms} SEMI JOIN ${listedSql(where, { prefix })} USING (prefix) ${LARGEST}`,
    where.values,
  );
}

function foldPrefix(prefix: string): string {
  const texts = prefix.split(TEMPLATE_DELIMITER);
  return toPathPrefix(texts.map(escapeSegment), texts);
}

function readKeyStorms(source: RolledSource, query: ReportQuery): Promise<Row[]> {
  const { keys, where } = selectFilteredKeys(source, query);
  where.and(`expire_at > ${where.bind(BigInt(source.asOf))}::BIGINT`);
  const prefix = canUseTemplatePrefixes(source, query)
    ? TEMPLATE_PREFIX_SQL
    : prefixSql(where, query.delimiter ?? TEMPLATE_DELIMITER);
  const tables = stormTablesSql(keys, where.sql, prefix, { keys: `${STORM_KEYS}`, times: `${STORM_TIMES}` });
  return source.query<Row>(`WITH ${tables} SELECT * FROM storms ${LARGEST}`, where.values);
}

function canUseTemplatePrefixes(source: RolledSource, query: ReportQuery): boolean {
  const templates = listTemplatesOnPath(source, query);
  return templates !== null && [...templates].every(hasPrefixOfNames);
}

/**
 * Whether a template has the same prefix as its names, which is not so if the prefix contains ids. In the second
 * segment an id ends the prefix of a name too, by its digits; only e-mail addresses may have none. A brace in a word
 * ends the prefix of a template and not that of a name.
 */
function hasPrefixOfNames(template: string): boolean {
  const [first, second] = template.split(TEMPLATE_DELIMITER);
  if (second === undefined) return true;
  if (/[{\\]/.test(first!)) return false;
  const ids = splitPieces(second).flatMap((piece) => ('kind' in piece ? [piece.kind] : []));
  return ids.length > 0 ? !ids.includes('email') : !/[{\\]/.test(second);
}
