import { parseAsString, useQueryState, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import type { KeyFilter } from '@/lib/model/filter';
import { FILTER_KEYS, FILTER_PARAMS, type FilterPatch, toFilter } from './filter-params';

/**
 * The filter of the address bar. Typing replaces the entry in the history; a step that a person may want to go back
 * from pushes a new one.
 */
export function useFilter() {
  const [values, setValues] = useQueryStates(FILTER_PARAMS, { history: 'replace' });
  const filter: KeyFilter = useMemo(() => toFilter(values as FilterPatch), [values]);
  const [delimiter] = useQueryState('delimiter', parseAsString);
  return {
    filter,
    /** The delimiter of the address as a plan takes it, in addition to the filter. */
    delimiterField: delimiter ? { delimiter } : {},
    /** The filter as a report takes it: with the delimiter of the address, by which templates are cut. */
    reportFilter: useMemo(() => (delimiter ? { ...filter, delimiter } : filter), [filter, delimiter]),
    set: (patch: FilterPatch, history: 'push' | 'replace' = 'replace') =>
      void setValues(resetExact(patch) as typeof values, { history }),
    clear: () =>
      void setValues(Object.fromEntries(FILTER_KEYS.map((key) => [key, null])) as typeof values, { history: 'push' }),
  };
}

/** A new prefix or template is typed as a prefix, so `exact`, which applied to the previous one, is reset. */
const resetExact = (patch: FilterPatch): FilterPatch =>
  'exact' in patch || !('prefix' in patch || 'template' in patch) ? patch : { ...patch, exact: null };
