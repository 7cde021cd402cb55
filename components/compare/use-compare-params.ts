import { useQueryStates } from 'nuqs';
import type { Change } from '@/lib/model/comparison/comparison-words';
import { COMPARE_PARAMS, toCompareQuery } from './compare-params';

/** What is compared and which list of it is shown, kept in the address. */
export function useCompareParams() {
  const [params, set] = useQueryStates(COMPARE_PARAMS, { history: 'push' });
  const query = toCompareQuery(params);
  const keyChange: Change = params.change ?? 'new';
  return {
    params,
    set: (next: Partial<Parameters<typeof set>[0]>) => void set(next),
    query,
    path: query.template ?? query.prefix,
    keyChange,
  };
}
export type CompareParams = ReturnType<typeof useCompareParams>;
