import { escapeSegment, splitPieces } from '@/lib/model/names/written-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ExpiryStorm } from '@/lib/model/reports/reports';
import { selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';
import { prefixSql, TEMPLATE_PREFIX_SQL, toPathPrefix } from '@/lib/snapshots/key-query/prefix-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { Rollup } from '@/lib/snapshots/rollup/open-rollup';
import { tableSql } from '@/lib/snapshots/rollup/rollup-folder';
import { findRollupScope, narrowsByPathOnly } from '@/lib/snapshots/rollup/scope';
import { CUT } from '@/lib/snapshots/rollup/settle-paths';
import { STORM_KEYS, STORM_TIMES, stormTablesSql } from '@/lib/snapshots/rollup/storm-sql';
import { listedSql, type RolledSource } from './facts';
import { listTemplatesOnPath } from './grouping/by-template';

const MAX_STORMS = 50;

type Row = { prefix: string; minute: number; keys: number; bytes: number; ofKeys: number; expected: number };

/**
 * Finds the storms: minutes in which unusually many keys of one prefix expire together
 * (lib/snapshots/rollup/storm-sql.ts). The roll-up has the storms of whole prefixes. They answer a query by path if it
 * has each prefix wholly or not at all; otherwise the keys are read. At most
 * MAX_STORMS are reported.
 */
export async function findExpiryStorms(source: RolledSource, asked: ReportQuery): Promise<ExpiryStorm[]> {
  // Only keys that have not expired yet can be in a storm.
  const { expiry, ...query } = asked;
  if (expiry !== undefined && expiry !== 'any') return [];
  const isOnPath = buildPathTest(source.rollup, query);
  const rows = isOnPath === null ? await readKeyStorms(source, query) : await readTableStorms(source, isOnPath);
  return rows.map(({ minute, ...row }) => ({ ...row, minute: minute * 60_000 }));
}

const LARGEST = `ORDER BY keys DESC, minute, prefix LIMIT ${MAX_STORMS}`;

/**
 * Returns a test for the prefixes on the path of a query. null: the query has only some keys of a prefix, or the
 * roll-up has no storms.
 */
function buildPathTest(rollup: Rollup | null, query: ReportQuery): ((prefix: string) => boolean) | null {
  const scope = narrowsByPathOnly(query) ? findRollupScope(rollup, 'cells', query) : null;
  if (scope === null || !rollup!.meta.storms) return null;
  if (scope.paths.length === rollup!.paths.length) return () => true;
  // All names with one prefix have the same folded prefix, so the paths with a folded prefix have whole prefixes.
  if (rollup!.paths.some(({ segments }) => segments.slice(0, 2).includes(CUT))) return null;
  const selected = new Set(scope.paths);
  const [inside, outside] = [new Set<string>(), new Set<string>()];
  for (const [number, { segments, texts }] of rollup!.paths.entries())
    (selected.has(number) ? inside : outside).add(toPathPrefix(segments, texts));
  return [...inside].some((prefix) => outside.has(prefix)) ? null : (prefix) => inside.has(foldPrefix(prefix));
}

function foldPrefix(prefix: string): string {
  const texts = prefix.split(TEMPLATE_DELIMITER);
  return toPathPrefix(texts.map(escapeSegment), texts);
}

async function readTableStorms({ rollup, query }: RolledSource, isOnPath: (prefix: string) => boolean): Promise<Row[]> {
  const storms = tableSql(rollup!.dir, 'storms');
  const all = await query<{ prefix: string }>(`SELECT DISTINCT prefix FROM ${storms}`);
  const prefix = all.map((row) => row.prefix).filter(isOnPath);
  const where = new Where();
  if (prefix.length === 0) return [];
  return query<Row>(
    `SELECT * FROM ${storms} SEMI JOIN ${listedSql(where, { prefix })} USING (prefix) ${LARGEST}`,
    where.values,
  );
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
