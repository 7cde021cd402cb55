import type { SelectedNode } from '@/lib/model/selected-node';
import { wellFormed } from '@/lib/model/text/well-formed';
import { literalPrefix, parsePath } from './folded-path';
import { delimitersSql, templateRange } from './template-range';
import type { Where } from './where-clause';

/**
 * Limits a clause to the keys of some nodes of the tree. Each key is found once, also if one node is within another.
 */
export function ofNodes(where: Where, nodes: readonly SelectedNode[], delimiter = ':'): void {
  where.anyOf(
    nodes.map(
      ({ path, end }) =>
        (one) =>
          end ? endsAt(one, path, delimiter) : below(one, path, delimiter),
    ),
  );
}

const below = (where: Where, path: string, delimiter: string) => templateRange(where, wellFormed(path), delimiter);

/** Limits a clause to the keys whose names end at a path. */
export function endsAt(where: Where, path: string, delimiter: string): void {
  const parsed = parsePath(wellFormed(path), delimiter);
  const literal = literalPrefix(parsed, delimiter);
  if (literal.whole) {
    where.and(`name = ${where.bind(literal.text)}::VARCHAR`);
    return;
  }
  below(where, path, delimiter);
  const depth = parsed.parts.length;
  const separator = `${where.bind(delimiter)}::VARCHAR`;
  where.and(`${delimitersSql(separator)} = ${depth}`);
  if ('text' in parsed.tail)
    where.and(`split_part(name, ${separator}, ${depth + 1}) = ${where.bind(parsed.tail.text)}::VARCHAR`);
}
