import { AppError } from '@/lib/model/errors';
import { type FoldedPath, literalPrefix, type PathPart, parsePath } from './folded-path';
import { KIND_PATTERNS, kindExceptSql, kindSql } from './segment-kind';
import type { Where } from './where-clause';

/**
 * As deep as the tree goes. Every folded segment is compared in every row, so a path of hundreds would take minutes.
 */
export const MAX_PATH_SEGMENTS = 64;

/**
 * Keys on a folded path: the literal beginning is a range of the sorted names, what follows is compared by segment.
 * With a delimiter that no id can contain, one regular expression over the name decides nearly everything, several
 * times faster than cutting out each segment; what regular expressions cannot say ("and is no date") is asked of the
 * few that are left.
 */
export function templateRange(where: Where, template: string, delimiter: string): void {
  const path = parsePath(template, delimiter);
  const literal = literalPrefix(path, delimiter);
  where.prefix(literal.text);
  if (literal.whole) return;
  if (path.parts.length > MAX_PATH_SEGMENTS) {
    const message = `A path with folded ids has at most ${MAX_PATH_SEGMENTS} segments; this one has ${path.parts.length}. Shorten it.`;
    throw new AppError('bad_request', message, { field: 'template' });
  }
  if (delimiter.length === 1 && !/[A-Za-z0-9+/_=@.\- ]/.test(delimiter)) byPattern(where, path, delimiter);
  else bySegments(where, path, delimiter);
}

const escapeRegex = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function byPattern(where: Where, path: FoldedPath, delimiter: string): void {
  const between = escapeRegex(delimiter);
  const piece = (part: PathPart) =>
    'kind' in part ? `(?:${KIND_PATTERNS[part.kind](between)})` : escapeRegex(part.text);
  const complete = path.parts.map((part) => piece(part) + between).join('');
  const tail = 'kind' in path.tail ? `${piece(path.tail)}(?:${between}|$)` : escapeRegex(path.tail.text);
  where.and(`regexp_matches(name, ${where.bind(`^${complete}${tail}`)}::VARCHAR)`);
  // Bound only where it is used: a statement refuses values that it does not ask for.
  let separator: string | null = null;
  for (const [index, part] of [...path.parts, path.tail].entries()) {
    if (!('kind' in part) || !kindExceptSql(part.kind, '')) continue;
    separator ??= `${where.bind(delimiter)}::VARCHAR`;
    where.and(kindExceptSql(part.kind, `split_part(name, ${separator}, ${index + 1})`)!);
  }
}

function bySegments(where: Where, path: FoldedPath, delimiter: string): void {
  const separator = `${where.bind(delimiter)}::VARCHAR`;
  const firstFolded = path.parts.findIndex((part) => 'kind' in part);
  path.parts.forEach((part, index) => {
    if (firstFolded < 0 || index < firstFolded) return;
    const segment = `split_part(name, ${separator}, ${index + 1})`;
    where.and(
      'kind' in part ? `${kindSql(segment)} = '${part.kind}'` : `${segment} = ${where.bind(part.text)}::VARCHAR`,
    );
  });
  const depth = path.parts.length;
  // As many delimiters as the path has: `user:1` is not on `user:{int}:`.
  if (depth > 0) where.and(`${delimitersSql(separator)} >= ${depth}`);
  const last = `split_part(name, ${separator}, ${depth + 1})`;
  if ('kind' in path.tail) where.and(`${kindSql(last)} = '${path.tail.kind}'`);
  else if (path.tail.text !== '') where.and(`starts_with(${last}, ${where.bind(path.tail.text)}::VARCHAR)`);
}

/** How many delimiters a name has. */
export function delimitersSql(separator: string): string {
  return `((strlen(name) - strlen(replace(name, ${separator}, ''))) // strlen(${separator}))`;
}
