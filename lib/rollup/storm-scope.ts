import { parsePath } from '@/lib/key-query/folded-path';
import { Where } from '@/lib/key-query/where-clause';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { Rollup } from './open-rollup';
import { pathOf } from './path-of';
import { tableSql } from './rollup-folder';
import { narrowsByPathOnly } from './scope';

/**
 * The storms that were found with the roll-up, for a question about whole prefixes: everything, a first segment, or a
 * first and a second one that is no id (prefix-sql.ts). null: its keys are only a part of some prefix, or it filters by
 * something else.
 */
export function stormScope(rollup: Rollup | null, query: ReportQuery): { sql: string; values: string[] } | null {
  if (rollup === null || !narrowsByPathOnly(query)) return null;
  const { parts, tail } = parsePath(pathOf(query), ':');
  if ('form' in tail || tail.text !== '') return null;
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
  if (texts.length < parts.length || texts.length > 2 || /[0-9]/.test(texts[1] ?? '')) return null;
  const where = new Where();
  where.and(`starts_with(prefix, ${where.bind(texts.map((text) => `${text}:`).join(''))}::VARCHAR)`);
  return { sql: `SELECT * FROM ${tableSql(rollup.dir, 'storms')} ${where.sql}`, values: where.values as string[] };
}
