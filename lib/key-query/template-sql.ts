import { templateOfSql } from '@/lib/name-sql/template-sql';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { Where } from './where-clause';

/** The template of a column `name`, whatever it holds, with the delimiter as a bound value. */
export const templateSql = (where: Where, delimiter: string): string =>
  templateOfSql('name', `${where.bind(delimiter)}::VARCHAR`, delimiter);

/** That of a row of keys: the column of it, or computed for another delimiter than it was made with. */
export const keyTemplateSql = (where: Where, delimiter: string): string =>
  delimiter === TEMPLATE_DELIMITER ? 'template' : templateSql(where, delimiter);
