/**
 * A segment as it is written in a path: text, with a token for each folded id. Separate from the definition of ids
 * (id-kinds.ts), whose patterns the browser does not need.
 */
export const KINDS = ['date', 'int', 'uuid', 'hex', 'email', 'alnum', 'b64', 'text'] as const;
export type Kind = (typeof KINDS)[number];

export const formatKindToken = (kind: Kind) => `{${kind}}`;

const NAMES = KINDS.join('|');
/** A token with the backslashes before it. */
export const WRITTEN_TOKEN = `\\\\*\\{(?:${NAMES})\\}`;
const createTokenRegex = () => new RegExp(WRITTEN_TOKEN, 'g');

/** Writes a literal segment for a path, with its tokens escaped. */
export const escapeSegment = (text: string): string => text.replace(createTokenRegex(), (token) => `\\${token}`);

export type Piece = { kind: Kind } | { text: string };

/** Splits a written segment into ids and the (unescaped) text between them. */
export function splitPieces(form: string): Piece[] {
  const pieces: Piece[] = [];
  let text = '';
  let from = 0;
  const add = (piece: Piece | null) => {
    if (text !== '') pieces.push({ text });
    text = '';
    if (piece) pieces.push(piece);
  };
  for (const match of form.matchAll(createTokenRegex())) {
    text += form.slice(from, match.index);
    from = match.index + match[0].length;
    if (match[0].startsWith('\\')) text += match[0].slice(1);
    else add({ kind: match[0].slice(1, -1) as Kind });
  }
  text += form.slice(from);
  add(null);
  return pieces;
}
