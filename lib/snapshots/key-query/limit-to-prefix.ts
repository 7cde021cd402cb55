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
  if (endsAmidEscape(text)) where.and(beginsWithSql(text, (value) => `${where.bind(value)}::VARCHAR`));
}

/** SQL that is true if the bytes of a name begin with those of a text. `text` binds a value. */
export function beginsWithSql(prefix: string, text: (value: string) => string): string {
  if (!endsAmidEscape(prefix)) return `starts_with(name, ${text(prefix)})`;
  const pattern = buildHexPattern(parseGlob(`${escapeGlob(prefix)}*`));
  return `(CASE WHEN raw IS NULL THEN starts_with(name, ${text(prefix)}) ELSE regexp_full_match(hex(raw), ${text(pattern)}) END)`;
}
