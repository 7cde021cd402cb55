import { endsAmidEscape, toShownBeginning } from '@/lib/model/text/double-backslashes';
import { escapeGlob } from '@/lib/model/text/escape-glob';
import { parseGlob } from '@/lib/model/text/glob';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { buildHexPattern } from './glob-sql';
import type { Where } from './where-clause';

/**
 * Limits a clause to names that begin with a text of the display form. It compares byte for byte, also if the text ends
 * in a possible escape.
 */
export function limitToPrefix(where: Where, prefix: string): void {
  const text = toWellFormed(prefix);
  where.andBeginsWith(toShownBeginning(text));
  if (endsAmidEscape(text)) where.and(beginsWithSql(text, (bound) => `${where.bind(bound)}::VARCHAR`));
}

/** SQL that is true if the bytes of a name begin with those of a text. `bind` returns the placeholder. */
export function beginsWithSql(prefix: string, bind: (text: string) => string): string {
  if (!endsAmidEscape(prefix)) return `starts_with(name, ${bind(prefix)})`;
  const pattern = buildHexPattern(parseGlob(`${escapeGlob(prefix)}*`));
  return `(CASE WHEN raw IS NULL THEN starts_with(name, ${bind(prefix)}) ELSE regexp_full_match(hex(raw), ${bind(pattern)}) END)`;
}
