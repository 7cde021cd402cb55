import { AppError } from '@/lib/model/errors';
import { foldSegment } from '@/lib/model/names/fold-segment';
import { buildKindPattern } from '@/lib/model/names/id-kinds';
import type { Kind } from '@/lib/model/names/written-segment';
import { escapeRegex } from '@/lib/model/text/escape-regex';
import { foldedSegmentSql } from '@/lib/snapshots/name-sql/folded-segment-sql';
import { kindExceptSql, kindSql } from '@/lib/snapshots/name-sql/segment-kind';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import { type FoldedPath, findLiteralPrefix, joinPieceTexts, type PathPart, parsePath } from './folded-path';
import { limitToPrefix } from './limit-to-prefix';
import { findNextPrefix } from './next-prefix';
import type { Where } from './where-clause';

/**
 * As deep as the tree goes. Every folded segment is compared in every row, so a path with hundreds would take minutes.
 */
export const MAX_PATH_SEGMENTS = 64;

/** Matches delimiters that may be part of an id. */
const ID_CHARACTER = /[A-Za-z0-9+/_=@.\- ]/;

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
  else if (delimiter.length === 1 && !ID_CHARACTER.test(delimiter)) limitByPattern(where, path, delimiter);
  else limitBySegments(where, path, delimiter);
}

/**
 * Whether the keys of a path are exactly those whose templates begin with it, so that no id in it is one value of many.
 */
function isBeginning({ parts, tail }: FoldedPath): boolean {
  const isOneTemplate = (part: PathPart) => ('form' in part ? isCanonical(part) : foldSegment(part.text) === null);
  return parts.every(isOneTemplate) && ('form' in tail ? isCanonical(tail) : tail.text === '');
}

function limitByColumn(where: Where, template: string, { tail }: FoldedPath): void {
  const bind = (text: string) => `${where.bind(text)}::VARCHAR`;
  if (!('form' in tail)) {
    where.and(`template >= ${bind(template)}`).and(`template < ${bind(findNextPrefix(template)!)}`);
    return;
  }
  const below = template + TEMPLATE_DELIMITER;
  // One range that is compared while rows are read; it contains few other rows, which the next term excludes.
  where.and(`template >= ${bind(template)}`).and(`template < ${bind(findNextPrefix(below)!)}`);
  where.and(`(template = ${bind(template)} OR template >= ${bind(below)})`);
}

function limitByPattern(where: Where, path: FoldedPath, delimiter: string): void {
  const separatorPattern = escapeRegex(delimiter);
  const buildPartPattern = (part: PathPart) =>
    'form' in part
      ? part.pieces
          .map((piece) =>
            'kind' in piece ? `(?:${buildKindPattern(piece.kind, separatorPattern)})` : escapeRegex(piece.text),
          )
          .join('')
      : escapeRegex(part.text);
  const complete = path.parts.map((part) => buildPartPattern(part) + separatorPattern).join('');
  const tail = buildPartPattern(path.tail) + ('form' in path.tail ? `(?:${separatorPattern}|$)` : '');
  where.and(`regexp_matches(name, ${where.bind(`^${complete}${tail}`)}::VARCHAR)`);
  // The delimiter is bound only where it is used, because a statement refuses values without a placeholder.
  let separator: string | null = null;
  for (const [index, part] of [...path.parts, path.tail].entries()) {
    if (!('form' in part)) continue;
    const kind = getWholeKind(part);
    if (kind !== null && kindExceptSql(kind, '') === null) continue;
    separator ??= `${where.bind(delimiter)}::VARCHAR`;
    const segment = `split_part(name, ${separator}, ${index + 1})`;
    where.and(kind === null ? joinedSql(where, part, segment) : kindExceptSql(kind, segment)!);
  }
}

type FoldedPart = Extract<PathPart, { form: string }>;

/** Returns the kind of a segment that is nothing but an id; null if other text is joined to it. */
function getWholeKind({ pieces }: FoldedPart): Kind | null {
  const [first] = pieces;
  return pieces.length === 1 && first && 'kind' in first ? first.kind : null;
}

/**
 * Returns what the pattern of `limitByPattern` has not decided about a segment with ids joined to words. If it has one
 * number among words that belong to no other id (`user_{int}`), only a number of eight digits is left, which could be a
 * date. Other segments are folded and compared.
 */
function joinedSql(where: Where, part: FoldedPart, segment: string): string {
  const same = formSql(where, part, segment);
  const words = joinPieceTexts(part.pieces);
  const numbers = part.pieces.filter((piece) => 'kind' in piece);
  const arePlain = /^[a-z_.{}]*$/.test(words) && /[_.{}]/.test(words);
  if (!arePlain || numbers.length !== 1 || !('kind' in numbers[0]!) || numbers[0].kind !== 'int') return same;
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
  const isOfForm = (part: FoldedPart, segment: string) => {
    const kind = getWholeKind(part);
    return kind === null ? formSql(where, part, segment) : `${kindSql(segment)} = '${kind}'`;
  };
  path.parts.forEach((part, index) => {
    // The literal parts before the first id are in the prefix. Without an id in `parts` all of them are.
    if (firstFolded < 0 || index < firstFolded) return;
    const segment = `split_part(name, ${separator}, ${index + 1})`;
    where.and('form' in part ? isOfForm(part, segment) : `${segment} = ${where.bind(part.text)}::VARCHAR`);
  });
  const depth = path.parts.length;
  // The name needs at least as many delimiters as the path: `user:1` is not on `user:{int}:`.
  if (depth > 0) where.and(`${delimitersSql(separator)} >= ${depth}`);
  const last = `split_part(name, ${separator}, ${depth + 1})`;
  if ('form' in path.tail) where.and(isOfForm(path.tail, last));
  else if (path.tail.text !== '') where.and(`starts_with(${last}, ${where.bind(path.tail.text)}::VARCHAR)`);
}

/** SQL for the number of delimiters in a name. */
export function delimitersSql(separator: string): string {
  return `((strlen(name) - strlen(replace(name, ${separator}, ''))) // strlen(${separator}))`;
}
