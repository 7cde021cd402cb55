import { KINDS, kindSql } from './segment-kind';
import type { Where } from './where-clause';

/** The template of a name in SQL: every id folded, literal segments that look folded escaped (folded-path.ts). */
export function templateSql(where: Where, delimiter: string): string {
  const separator = `${where.bind(delimiter)}::VARCHAR`;
  const literal = `CASE WHEN (starts_with(s, '{') OR starts_with(s, '\\')) AND regexp_full_match(s, '\\\\*\\{(${KINDS.join('|')})\\}')
    THEN concat('\\', s) ELSE s END`;
  return `array_to_string(list_transform(string_split(name, ${separator}),
    lambda s: coalesce('{' || (${kindSql('s')}) || '}', ${literal})), ${separator})`;
}
