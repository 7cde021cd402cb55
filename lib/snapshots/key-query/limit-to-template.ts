import { AppError } from '@/lib/model/errors';
import { foldSegment } from '@/lib/model/names/fold-segment';
import { buildKindPattern } from '@/lib/model/names/id-kinds';
import type { Kind } from '@/lib/model/names/written-segment';
import { foldedSegmentSql } from '@/lib/snapshots/name-sql/folded-segment-sql';
import { kindExceptSql, kindSql } from '@/lib/snapshots/name-sql/segment-kind';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import { type FoldedPath, findLiteralPrefix, type PathPart, parsePath } from './folded-path';
import { limitToPrefix } from './limit-to-prefix';
import { findNextPrefix } from './next-prefix';
import type { Where } from './where-clause';

/**
 * As deep as the tree goes. Every folded segment is compared in every row, so a path with hundreds would take minutes.
 */
export const MAX_PATH_SEGMENTS = 64;

/**
 * Limits a clause to the keys on a folded path. Its literal prefix is a range of the sorted names; the rest is compared
 * by segment. With a delimiter that no id can contain, one regular expression over the name decides nearly everything,
 * several times faster than extracting each segment. Conditions that a regular expression cannot express ("and is no
 * date") are checked only for the few remaining rows.
 * @param hasColumn whether the files have the column `template`, which is used if it can decide
 */
export function limitToTemplate(where: Where, template: string, delimiter: string, { hasColumn = false } = {}): void {
  const path = parsePath(template, delimiter);
  const literal = findLiteralPrefix(path, delimiter);
  limitToPrefix(where, literal.text);
  if (literal.whole) return;
  if (path.parts.length > MAX_PATH_SEGMENTS) {
    const message = `A path with folded ids has at most ${MAX_PATH_SEGMENTS} segments; this one has ${path.parts.length}. Shorten it.`;
    throw new AppError('bad_request', message, { field: 'template' });
  }
  if (hasColumn && delimiter === TEMPLATE_DELIMITER && isBeginning(path)) limitByColumn(where, template, path);
  else if (delimiter.length === 1 && !/[A-Za-z0-9+/_=@.\- ]/.test(delimiter)) limitByPattern(where, path, delimiter);
  else limitBySegments(where, path, delimiter);
}

/**
 * Whether the keys of a path are exactly those whose templates begin with it, so that no id in it is one value of many.
 */
function isBeginning({ parts, tail }: FoldedPath): boolean {
  const whole = (part: PathPart) => ('form' in part ? isCanonical(part) : foldSegment(part.text) === null);
  return parts.every(whole) && ('form' in tail ? isCanonical(tail) : tail.text === '');
}

function limitByColumn(where: Where, template: string, { tail }: FoldedPath): void {
  const bound = (text: string) => `${where.bind(text)}::VARCHAR`;
  if (!('form' in tail)) {
    where.and(`template >= ${bound(template)}`).and(`template < ${bound(findNextPrefix(template)!)}`);
    return;
  }
  const below = template + TEMPLATE_DELIMITER;
  // One range that is compared while rows are read; it contains few other rows, which the next term excludes.
  where.and(`template >= ${bound(template)}`).and(`template < ${bound(findNextPrefix(below)!)}`);
  where.and(`(template = ${bound(template)} OR template >= ${bound(below)})`);
}

const escapeRegex = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function limitByPattern(where: Where, path: FoldedPath, delimiter: string): void {
  const between = escapeRegex(delimiter);
  const piece = (part: PathPart) =>
    'form' in part
      ? part.pieces
          .map((one) => ('kind' in one ? `(?:${buildKindPattern(one.kind, between)})` : escapeRegex(one.text)))
          .join('')
      : escapeRegex(part.text);
  const complete = path.parts.map((part) => piece(part) + between).join('');
  const tail = 'form' in path.tail ? `${piece(path.tail)}(?:${between}|$)` : escapeRegex(path.tail.text);
  where.and(`regexp_matches(name, ${where.bind(`^${complete}${tail}`)}::VARCHAR)`);
  // Bound only where it is used: a statement refuses values without a placeholder.
  let separator: string | null = null;
  for (const [index, part] of [...path.parts, path.tail].entries()) {
    const only = 'form' in part ? getWholeKind(part) : null;
    if (!('form' in part) || (only !== null && !kindExceptSql(only, ''))) continue;
    separator ??= `${where.bind(delimiter)}::VARCHAR`;
    const segment = `split_part(name, ${separator}, ${index + 1})`;
    where.and(only === null ? joinedSql(where, part, segment) : kindExceptSql(only, segment)!);
  }
}

type FoldedPart = Extract<PathPart, { form: string }>;

/** The kind of a segment that is nothing but an id; null if other text is joined to it. */
function getWholeKind({ pieces }: FoldedPart): Kind | null {
  const [first] = pieces;
  return pieces.length === 1 && first && 'kind' in first ? first.kind : null;
}

/**
 * For a segment with one number among words that belong to no other id (`user_{int}`) the pattern has decided
 * everything, unless the number has eight digits and could be a date. Other segments are folded and compared.
 */
function joinedSql(where: Where, part: FoldedPart, segment: string): string {
  const same = formSql(where, part, segment);
  const words = part.pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');
  const numbers = part.pieces.filter((piece) => 'kind' in piece);
  const plain = /^[a-z_.{}]*$/.test(words) && /[_.{}]/.test(words);
  if (!plain || numbers.length !== 1 || !('kind' in numbers[0]!) || numbers[0].kind !== 'int') return same;
  return isCanonical(part) ? `(strlen(${segment}) <> ${words.length + 8} OR ${same})` : same;
}

const formSql = (where: Where, { form }: FoldedPart, segment: string) =>
  `coalesce((${foldedSegmentSql(segment)}) = ${where.bind(form)}::VARCHAR, false)`;

/** Whether names fold to exactly this form: `user_{int}` is such a form, `user{int}` is not. */
const isCanonical = ({ form, pieces }: FoldedPart) =>
  foldSegment(pieces.map((piece) => ('text' in piece ? piece.text : '1')).join('')) === form;

function limitBySegments(where: Where, path: FoldedPath, delimiter: string): void {
  const separator = `${where.bind(delimiter)}::VARCHAR`;
  const firstFolded = path.parts.findIndex((part) => 'form' in part);
  const folded = (part: FoldedPart, segment: string) => {
    const kind = getWholeKind(part);
    return kind === null ? formSql(where, part, segment) : `${kindSql(segment)} = '${kind}'`;
  };
  path.parts.forEach((part, index) => {
    if (firstFolded < 0 || index < firstFolded) return;
    const segment = `split_part(name, ${separator}, ${index + 1})`;
    where.and('form' in part ? folded(part, segment) : `${segment} = ${where.bind(part.text)}::VARCHAR`);
  });
  const depth = path.parts.length;
  // The name needs at least as many delimiters as the path: `user:1` is not on `user:{int}:`.
  if (depth > 0) where.and(`${delimitersSql(separator)} >= ${depth}`);
  const last = `split_part(name, ${separator}, ${depth + 1})`;
  if ('form' in path.tail) where.and(folded(path.tail, last));
  else if (path.tail.text !== '') where.and(`starts_with(${last}, ${where.bind(path.tail.text)}::VARCHAR)`);
}

/** The number of delimiters in a name. */
export function delimitersSql(separator: string): string {
  return `((strlen(name) - strlen(replace(name, ${separator}, ''))) // strlen(${separator}))`;
}
