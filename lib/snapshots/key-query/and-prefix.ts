import { endsAmidEscape, shownBeginning } from '@/lib/model/text/double-backslashes';
import { escapeGlob } from '@/lib/model/text/escape-glob';
import { parseGlob } from '@/lib/model/text/glob';
import { wellFormed } from '@/lib/model/text/well-formed';
import { hexPattern } from './glob-sql';
import type { Where } from './where-clause';

/**
 * Limits a clause to names that begin with a text of the display form. It compares byte for byte, also if the text ends
 * in a possible escape.
 */
export function andPrefix(where: Where, prefix: string): void {
  const text = wellFormed(prefix);
  where.prefix(shownBeginning(text));
  if (!endsAmidEscape(text)) return;
  const pattern = hexPattern(parseGlob(`${escapeGlob(text)}*`));
  where.and(`CASE WHEN raw IS NULL THEN starts_with(name, ${where.bind(text)}::VARCHAR)
    ELSE regexp_full_match(hex(raw), ${where.bind(pattern)}::VARCHAR) END`);
}
