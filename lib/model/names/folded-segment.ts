import { ID_KINDS, KINDS, type Kind, kindToken, segmentKind } from './id-kinds';

/**
 * The folded form of one segment, which depends on the segment alone: `user:{int}:` means the same keys wherever it is
 * asked. Whether ids are *shown* folded depends on how many there are (lib/reports/tree.ts).
 *
 * 1. A segment that is an id as a whole: `17` → `{int}`; the braces of a hash tag around it stay: `{17}` → `{{int}}`.
 * 2. Else ids that are joined to words by `_`, `-`, `.` or the braces of a hash tag: `user_17` → `user_{int}`,
 *    `job-2024-01-15` → `job-{date}`, `{user_17}` → `{user_{int}}`, `10.0.0.1` → `{int}.{int}.{int}.{int}`.
 *
 * Digits within a word are no id (`ipv4`, `s3`, `sha256`). A number that is joined is one however short it is: `utf-8`
 * is `utf-{int}` and `v1.2` is `v1.{int}`, because nothing tells them from `user-8`, and the tree shows them as they
 * stand while there are few. Joined hex digits need no digit of their own if the segment has one. E-mail addresses and
 * base64 hold the joining characters themselves, so they are ids as a whole only.
 *
 * A name may really hold `{int}`: written with a backslash before it, and with one more where there are backslashes, it
 * is a literal. Both directions are exact: what joins is no backslash, so a token is never taken for an escaped one.
 */
export const JOINTS = '[_.{}-]';
/** In this order: the digits of a date are no numbers, and hex digits are what holds a letter. */
export const JOINED = (['uuid', 'date', 'int', 'hex'] as const).map((kind) => ({
  kind,
  /** With what stands before and behind as groups 1 and 2. */
  pattern: `(^|${JOINTS})(?:${ID_KINDS[kind].pattern})($|${JOINTS})`,
}));

const NAMES = KINDS.join('|');
/** A token with the backslashes before it. */
export const WRITTEN_TOKEN = `\\\\*\\{(?:${NAMES})\\}`;
const written = () => new RegExp(WRITTEN_TOKEN, 'g');

/** A literal segment as it stands in a path. */
export const escapeSegment = (text: string): string => text.replace(written(), (token) => `\\${token}`);

/** The form of a segment that holds ids; null for words. */
export function foldedSegment(segment: string): string | null {
  if (!/[0-9@]/.test(segment)) return null;
  const kind = segmentKind(segment);
  if (kind !== null) return kindToken(kind);
  const inner = segment.startsWith('{') && segment.endsWith('}') ? segmentKind(segment.slice(1, -1)) : null;
  if (inner !== null) return `{${kindToken(inner)}}`;
  if (!/[0-9]/.test(segment)) return null;
  const literal = escapeSegment(segment);
  let form = literal;
  // Twice: neighbours share the character between them.
  for (const { kind: joined, pattern } of JOINED)
    for (let pass = 0; pass < 2; pass++) form = form.replace(new RegExp(pattern, 'g'), `$1{${joined}}$2`);
  return form === literal ? null : form;
}

export type Piece = { kind: Kind } | { text: string };

/** What a written segment says, piece by piece: ids and the (unescaped) text between them. */
export function piecesOf(form: string): Piece[] {
  const pieces: Piece[] = [];
  let text = '';
  let from = 0;
  const add = (piece: Piece | null) => {
    if (text !== '') pieces.push({ text });
    text = '';
    if (piece) pieces.push(piece);
  };
  for (const match of form.matchAll(written())) {
    text += form.slice(from, match.index);
    from = match.index + match[0].length;
    if (match[0].startsWith('\\')) text += match[0].slice(1);
    else add({ kind: match[0].slice(1, -1) as Kind });
  }
  text += form.slice(from);
  add(null);
  return pieces;
}
