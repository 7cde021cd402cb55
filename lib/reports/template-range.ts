import { literalPrefix, parsePath } from './folded-path';
import { kindSql } from './segment-kind';
import type { Where } from './where';

/** Keys on a folded path: the literal beginning is a range of the sorted names, what follows is compared by segment. */
export function templateRange(where: Where, template: string, delimiter: string): void {
  const path = parsePath(template, delimiter);
  const literal = literalPrefix(path, delimiter);
  where.prefix(literal.text);
  if (literal.whole) return;
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
