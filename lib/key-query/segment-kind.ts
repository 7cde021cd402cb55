/**
 * Which segments are ids. The answer depends on the segment alone, so that `user:{int}:` means the same keys wherever
 * it is asked; whether ids are *shown* folded depends on how many there are (tree.ts).
 *
 *   date   20261120, 2026-11-20, 2026-11        uuid   8-4-4-4-12 hex digits
 *   int    digits only                          hex    ≥ 8 hex digits of one case, at least one 0–9 (not `deadbeef`)
 *   email  x@y.zz                               b64    ≥ 16 of a base64 alphabet: a digit, a capital, a small letter
 *
 * The SQL and the JS below say the same; a property test holds them together.
 */
export const KINDS = ['date', 'int', 'uuid', 'hex', 'email', 'b64'] as const;
export type Kind = (typeof KINDS)[number];

const DATE = '(19|20)[0-9]{2}((0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])|-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)';
const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const HEX = '([0-9a-f]{8,}|[0-9A-F]{8,})';
const EMAIL = '[^@ ]+@[^@ ]+[.][A-Za-z]{2,}';
const B64 = '[A-Za-z0-9+/_-]{16,}={0,2}';

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`, 'u');
const js = {
  date: whole(DATE),
  int: /^[0-9]+$/,
  uuid: whole(UUID),
  hex: whole(HEX),
  email: whole(EMAIL),
  b64: whole(B64),
};

export function segmentKind(segment: string): Kind | null {
  if (js.int.test(segment)) return js.date.test(segment) ? 'date' : 'int';
  if (js.email.test(segment)) return 'email';
  if (!/[0-9]/.test(segment)) return null;
  if (js.date.test(segment)) return 'date';
  if (js.uuid.test(segment)) return 'uuid';
  if (js.hex.test(segment)) return 'hex';
  if (js.b64.test(segment) && /[A-Z]/.test(segment) && /[a-z]/.test(segment)) return 'b64';
  return null;
}

/**
 * NULL for words. The cheap tests come first: most rows of a level look alike and each regex costs ~100 ns a row.
 * `segment` is SQL text of Colonnade.
 */
export function kindSql(segment: string): string {
  const full = (pattern: string) => `regexp_full_match(${segment}, '${pattern}')`;
  return `CASE
    WHEN ${full('[0-9]+')} THEN
      CASE WHEN strlen(${segment}) = 8 AND ${full(DATE)} THEN 'date' ELSE 'int' END
    WHEN contains(${segment}, '@') AND ${full(EMAIL)} THEN 'email'
    WHEN NOT regexp_matches(${segment}, '[0-9]') THEN NULL
    WHEN strlen(${segment}) IN (7, 10) AND ${full(DATE)} THEN 'date'
    WHEN strlen(${segment}) = 36 AND ${full(UUID)} THEN 'uuid'
    WHEN strlen(${segment}) >= 8 AND ${full(HEX)} THEN 'hex'
    WHEN strlen(${segment}) >= 16 AND ${full(B64)} AND regexp_matches(${segment}, '[A-Z]')
      AND regexp_matches(${segment}, '[a-z]') THEN 'b64'
    END`;
}

/**
 * Regular expressions that every segment of the kind matches, given the delimiter (as a regex) that it cannot contain.
 */
export const KIND_PATTERNS: Record<Kind, (delimiter: string) => string> = {
  date: () => DATE,
  int: () => '[0-9]+',
  uuid: () => UUID,
  hex: () => HEX,
  email: (d) => `[^@ ${d}]+@[^@ ${d}]+[.][A-Za-z]{2,}`,
  b64: () => B64,
};

/** What a segment that matches the pattern must fulfil besides; null = nothing. */
export function kindExceptSql(kind: Kind, segment: string): string | null {
  if (kind === 'date' || kind === 'email') return null;
  if (kind === 'int') return `(strlen(${segment}) <> 8 OR NOT regexp_full_match(${segment}, '${DATE}'))`;
  return `coalesce((${kindSql(segment)}) = '${kind}', false)`;
}
