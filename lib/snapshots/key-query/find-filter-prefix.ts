import type { KeyFilter } from '@/lib/model/filter';
import type { SelectedNode } from '@/lib/model/selected-node';
import { toShownBeginning } from '@/lib/model/text/double-backslashes';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { findLiteralPrefix, parsePath } from './folded-path';

/**
 * Returns the text that the name of every key under this filter begins with, as far as the filter determines it; '' if
 * names may begin with anything. A query for these keys need not read files without such names.
 */
export function findFilterPrefix(
  { prefix = '', template }: Pick<KeyFilter, 'prefix' | 'template'>,
  delimiter = ':',
  nodes?: readonly SelectedNode[],
): string {
  const toBeginning = (path: string) =>
    toShownBeginning(findLiteralPrefix(parsePath(toWellFormed(path), delimiter), delimiter).text);
  const beginnings = [
    toShownBeginning(toWellFormed(prefix)),
    template ? toBeginning(template) : '',
    nodes ? findSharedBeginning(nodes.map(({ path }) => toBeginning(path))) : '',
  ];
  return beginnings.reduce((longest, text) => (text.length > longest.length ? text : longest));
}

/** Compares whole characters: half of a character is not the beginning of any name. */
function findSharedBeginning(texts: readonly string[]): string {
  const [first, ...others] = texts.map((text) => Array.from(text));
  if (first === undefined) return '';
  const end = first.findIndex((character, at) => others.some((other) => other[at] !== character));
  return (end < 0 ? first : first.slice(0, end)).join('');
}
