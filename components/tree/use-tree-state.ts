import { parseAsStringLiteral, useQueryStates } from 'nuqs';
import { buildLevelFilter } from '@/components/reports/filter/level-filter';
import { useFilter } from '@/components/reports/filter/use-filter';
import { TREE_PARAMS } from '@/components/reports/report-params';
import { findParent } from './tree-path';

const parsers = {
  color: parseAsStringLiteral(['type', 'expiry'] as const).withDefault('type'),
  ...TREE_PARAMS,
};

type Nullable<T> = { [K in keyof T]: T[K] | null };

/** The position in the tree and how it is shown, all of it kept in the address. */
export function useTreeState() {
  const [state, setState] = useQueryStates(parsers, { history: 'replace' });
  const { filter, set } = useFilter();
  const path = filter.template ?? filter.prefix ?? '';
  const go = (next: string) => {
    // The search applied to the former level, so it is cleared.
    void setState({ match: null }, { history: 'push' });
    set(buildLevelFilter(next, false, filter.prefix), 'push');
  };
  return {
    ...state,
    path,
    set: (patch: Partial<Nullable<typeof state>>) => void setState(patch),
    /** Searches this level; the Back button leads out of the search again. */
    search: (match: string) => void setState({ match }, { history: 'push' }),
    go,
    up: () => path !== '' && go(findParent(path, state.delimiter)),
  };
}
export type TreeState = ReturnType<typeof useTreeState>;
