import { parseAsBoolean, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import type { ComparedGroupsQuery, ComparisonQuery } from '@/lib/model/comparison/comparison';
import { CHANGES, type Change, type Grouping, SINCE_PREVIOUS } from '@/lib/model/comparison/comparison-words';

export const LISTS = ['prefixes', 'templates', 'bigkeys', 'keys', 'findings'] as const;
export type List = (typeof LISTS)[number];

/** What is compared and which list of it is shown, as the address has it. The server reads it for the first HTML. */
export const COMPARE_PARAMS = {
  with: parseAsString.withDefault(SINCE_PREVIOUS),
  /** The instance that the other snapshot is chosen from; null: the same one. */
  other: parseAsString,
  list: parseAsStringLiteral(LISTS).withDefault('prefixes'),
  /** null: every change of groups; of keys the first one. */
  change: parseAsStringLiteral(CHANGES),
  /** Keys by name, in pages; otherwise only those with the largest difference. */
  all: parseAsBoolean.withDefault(false),
  prefix: parseAsString,
  template: parseAsString,
  delimiter: parseAsString,
};

interface Compared {
  with: string;
  prefix: string | null;
  template: string | null;
  delimiter: string | null;
}

export function toCompareQuery({ with: other, prefix, delimiter, ...more }: Compared): ComparisonQuery {
  // A path that was cut by another delimiter is no template of a snapshot.
  const template = delimiter === null || delimiter === ':' ? more.template : null;
  return { with: other, ...(prefix && { prefix }), ...(template && { template }) };
}

/** The grouping of a list; null: it is no list of groups. */
export const toGrouping = (list: List): Grouping | null =>
  list === 'prefixes' ? 'prefix' : list === 'templates' ? 'template' : null;

/** `before`: the id of the other snapshot, so that all pages of a list are of the same two. */
export const toGroupsQuery = (
  query: ComparisonQuery,
  before: string,
  by: Grouping,
  change: Change | null,
): ComparedGroupsQuery => ({ ...query, with: before, by, change: change ?? undefined });
