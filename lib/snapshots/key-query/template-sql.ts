import { textTemplateSql } from '@/lib/snapshots/name-sql/template-sql';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { Where } from './where-clause';

/** The template of a column `name`, with the delimiter as a bound value. */
export const templateSql = (where: Where, delimiter: string): string =>
  textTemplateSql('name', `${where.bind(delimiter)}::VARCHAR`, delimiter);

/**
 * The template of a row of keys: its column, or computed if the delimiter differs from the one the column was made
 * with.
 */
export const keyTemplateSql = (where: Where, delimiter: string): string =>
  delimiter === TEMPLATE_DELIMITER ? 'template' : templateSql(where, delimiter);
