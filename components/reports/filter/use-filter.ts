import { parseAsString, useQueryState, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import type { KeyFilter } from '@/lib/model/filter';
import { FILTER_KEYS, FILTER_PARAMS, type FilterPatch, toFilter } from './filter-params';

/**
 * The filter of the address bar. Typing replaces the entry in the history; a step that one may want back pushes one.
 */
export function useFilter() {
  const [values, setValues] = useQueryStates(FILTER_PARAMS, { history: 'replace' });
  const filter: KeyFilter = useMemo(() => toFilter(values as FilterPatch), [values]);
  const [delimiter] = useQueryState('delimiter', parseAsString);
  return {
    filter,
    /** As a plan takes it, beside the filter. */
    cut: delimiter ? { delimiter } : {},
    /** The filter as a report takes it: a template is cut by the delimiter of the address. */
    asked: useMemo(() => (delimiter ? { ...filter, delimiter } : filter), [filter, delimiter]),
    set: (patch: FilterPatch, history: 'push' | 'replace' = 'replace') =>
      void setValues(exactOf(patch) as typeof values, { history }),
    clear: () =>
      void setValues(Object.fromEntries(FILTER_KEYS.map((key) => [key, null])) as typeof values, { history: 'push' }),
  };
}

/** Another prefix is typed as a beginning; `exact` was said of the one before. */
const exactOf = (patch: FilterPatch): FilterPatch =>
  'exact' in patch || !('prefix' in patch || 'template' in patch) ? patch : { ...patch, exact: null };
