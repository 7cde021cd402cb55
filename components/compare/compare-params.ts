import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import type { ComparisonQuery } from '@/lib/model/comparison/comparison';
import { CHANGES, type Change, SINCE_PREVIOUS } from '@/lib/model/comparison/comparison-words';

export const LISTS = ['prefixes', 'templates', 'bigkeys', 'keys', 'findings'] as const;
export type List = (typeof LISTS)[number];

const PARAMS = {
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

/** What is compared and which list of it is shown, kept in the address. */
export function useCompareParams() {
  const [params, set] = useQueryStates(PARAMS, { history: 'push' });
  const { prefix, delimiter } = params;
  // A path that was cut by another delimiter is no template of a snapshot.
  const template = delimiter === null || delimiter === ':' ? params.template : null;
  const scope = { ...(prefix && { prefix }), ...(template && { template }) };
  const query: ComparisonQuery = { with: params.with, ...scope };
  const keyChange: Change = params.change ?? 'new';
  return {
    params,
    set: (next: Partial<Parameters<typeof set>[0]>) => void set(next),
    query,
    path: template ?? prefix,
    keyChange,
  };
}
export type CompareParams = ReturnType<typeof useCompareParams>;
