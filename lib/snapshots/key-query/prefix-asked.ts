import type { KeyFilter } from '@/lib/model/filter';
import type { SelectedNode } from '@/lib/model/selected-node';
import { shownBeginning } from '@/lib/model/text/double-backslashes';
import { wellFormed } from '@/lib/model/text/well-formed';
import { literalPrefix, parsePath } from './folded-path';

/**
 * The text that the name of every key under this filter begins with, as far as the filter determines it; '' if names
 * may begin with anything. A query for these keys need not read files without such names.
 */
export function prefixAsked(
  { prefix = '', template }: Pick<KeyFilter, 'prefix' | 'template'>,
  delimiter = ':',
  nodes?: readonly SelectedNode[],
): string {
  const beginning = (path: string) =>
    shownBeginning(literalPrefix(parsePath(wellFormed(path), delimiter), delimiter).text);
  const all = [
    shownBeginning(wellFormed(prefix)),
    template ? beginning(template) : '',
    nodes ? sharedBeginning(nodes.map(({ path }) => beginning(path))) : '',
  ];
  return all.reduce((longest, one) => (one.length > longest.length ? one : longest));
}

/** Compares whole characters: half of a character is not the beginning of any name. */
function sharedBeginning(texts: readonly string[]): string {
  const [first, ...others] = texts.map((text) => Array.from(text));
  if (first === undefined) return '';
  const end = first.findIndex((character, at) => others.some((other) => other[at] !== character));
  return (end < 0 ? first : first.slice(0, end)).join('');
}
