import { useSearchParams } from 'next/navigation';
import { instanceAddress } from '@/components/data/address/instance-address';
import { type FilterPatch, toSearch } from '@/components/reports/filter/filter-params';
import { narrowedBy } from '@/components/reports/filter/narrowed-by';
import { useFilter } from '@/components/reports/filter/use-filter';

/**
 * Address of another report of this instance under the present filter with `patch` on it, same snapshot. A path that
 * was cut by `:` whatever the address says takes its delimiter out of it (`null`).
 */
export function useReportHref(instanceId: string) {
  const search = useSearchParams();
  const { filter } = useFilter();
  // A template means something only together with the delimiter it was cut by.
  const kept = { snapshot: search.get('snapshot'), delimiter: search.get('delimiter') };
  return (page: string, patch: FilterPatch & { sort?: string; delimiter?: null } = {}) =>
    instanceAddress(instanceId, `/${page}`, toSearch({ ...kept, ...narrowedBy(filter, patch) }));
}

/**
 * On the page of a key: address of a list of keys under the present filter with `only` in place of what it says of the
 * same. Not narrowed by both, because the key may have been opened by its address alone; `db` is the key's there.
 */
export function useListHref(instanceId: string) {
  const search = useSearchParams();
  const { filter } = useFilter();
  const kept = { snapshot: search.get('snapshot'), delimiter: search.get('delimiter') };
  return (only: FilterPatch) =>
    instanceAddress(instanceId, '/keys', toSearch({ ...kept, ...filter, db: null, ...only }));
}

/** Address of one key's page; `db` is the key's there, the rest of the filter goes along for returning. */
export function useKeyHref(instanceId: string) {
  const search = useSearchParams();
  const { filter } = useFilter();
  const kept = { snapshot: search.get('snapshot'), delimiter: search.get('delimiter') };
  return (k: string, db: number) =>
    instanceAddress(instanceId, `/keys/${encodeURIComponent(k)}`, toSearch({ ...filter, ...kept, db }));
}
