/** The kinds of lib/model/names/id-kinds.ts in SQL. A property test checks that JavaScript and SQL agree. */

import { ID_KINDS } from '@/lib/model/names/id-kinds';
import type { Kind } from '@/lib/model/names/written-segment';

const DATE = ID_KINDS.date.pattern;

/**
 * SQL for the kind of a segment; NULL for words. The cheap tests come first: most rows of a level look alike, and each
 * regex costs ~100 ns a row. `segment` is SQL text of Colonnade.
 */
export function kindSql(segment: string): string {
  const full = (pattern: string) => `regexp_full_match(${segment}, '${pattern}')`;
  return `CASE
    WHEN ${full('[0-9]+')} THEN
      CASE WHEN strlen(${segment}) = 8 AND ${full(DATE)} THEN 'date' ELSE 'int' END
    WHEN contains(${segment}, '@') AND ${full(ID_KINDS.email.pattern)} THEN 'email'
    WHEN NOT regexp_matches(${segment}, '[0-9]') THEN NULL
    WHEN strlen(${segment}) IN (7, 10) AND ${full(DATE)} THEN 'date'
    WHEN strlen(${segment}) = 36 AND ${full(ID_KINDS.uuid.pattern)} THEN 'uuid'
    WHEN (strlen(${segment}) >= 8 OR starts_with(${segment}, '0x')) AND ${full('[0-9a-f]+|[0-9A-F]+|0x[0-9a-fA-F]+')} THEN 'hex'
    WHEN strlen(${segment}) >= 24 AND ${full('[0-9a-z]+|[0-9A-Z]+')} AND translate(left(${segment}, 23), '0123456789', '') <> left(${segment}, 23) THEN 'alnum'
    WHEN strlen(${segment}) >= 16 AND ${full(ID_KINDS.b64.pattern)} AND regexp_matches(${segment}, '[A-Z]')
      AND regexp_matches(${segment}, '[a-z]') THEN 'b64'
    END`;
}

/** SQL for a condition that a segment must fulfil in addition to the pattern of its kind; null: there is none. */
export function kindExceptSql(kind: Kind, segment: string): string | null {
  if (kind === 'date' || kind === 'email') return null;
  if (kind === 'int') return `(strlen(${segment}) <> 8 OR NOT regexp_full_match(${segment}, '${DATE}'))`;
  return `coalesce((${kindSql(segment)}) = '${kind}', false)`;
}
