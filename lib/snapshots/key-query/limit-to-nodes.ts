import type { SelectedNode } from '@/lib/model/selected-node';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { findLiteralPrefix, parsePath } from './folded-path';
import { delimitersSql, limitToTemplate } from './limit-to-template';
import type { Where } from './where-clause';

/**
 * Limits a clause to the keys of some nodes of the tree. Each key is found once, also if one node is within another.
 */
export function limitToNodes(where: Where, nodes: readonly SelectedNode[], delimiter = ':'): void {
  where.andAny(
    nodes.map(
      ({ path, end }) =>
        (clause) =>
          end ? limitToPathEnd(clause, path, delimiter) : limitToPath(clause, path, delimiter),
    ),
  );
}

const limitToPath = (where: Where, path: string, delimiter: string) =>
  limitToTemplate(where, toWellFormed(path), delimiter);

/** Limits a clause to the keys whose names end at a path. */
export function limitToPathEnd(where: Where, path: string, delimiter: string): void {
  const parsed = parsePath(toWellFormed(path), delimiter);
  const literal = findLiteralPrefix(parsed, delimiter);
  if (literal.whole) {
    where.and(`name = ${where.bind(literal.text)}::VARCHAR`);
    return;
  }
  limitToPath(where, path, delimiter);
  const depth = parsed.parts.length;
  const separator = `${where.bind(delimiter)}::VARCHAR`;
  where.and(`${delimitersSql(separator)} = ${depth}`);
  if ('text' in parsed.tail)
    where.and(`split_part(name, ${separator}, ${depth + 1}) = ${where.bind(parsed.tail.text)}::VARCHAR`);
}
