import { parseAsStringLiteral, useQueryStates } from 'nuqs';
import { levelFilter } from '@/components/reports/filter/level-filter';
import { useFilter } from '@/components/reports/filter/use-filter';
import { TREE_PARAMS } from '@/components/reports/report-params';
import { parentOf } from './tree-path';

const parsers = {
  size: parseAsStringLiteral(['bytes', 'keys'] as const).withDefault('bytes'),
  color: parseAsStringLiteral(['type', 'expiry'] as const).withDefault('type'),
  ...TREE_PARAMS,
};

/** Where one stands in the tree and how it is drawn; all of it in the address. */
export function useTreeState() {
  const [state, setState] = useQueryStates(parsers, { history: 'replace' });
  const { filter, set } = useFilter();
  const path = filter.template ?? filter.prefix ?? '';
  const go = (next: string) => set(levelFilter(next), 'push');
  return {
    ...state,
    path,
    set: (patch: Partial<typeof state>) => void setState(patch),
    go,
    up: () => path !== '' && go(parentOf(path, state.delimiter)),
  };
}
export type TreeState = ReturnType<typeof useTreeState>;
