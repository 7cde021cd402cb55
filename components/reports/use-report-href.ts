import { useSearchParams } from 'next/navigation';
import { instanceAddress } from '@/components/data/address/instance-address';
import { type FilterPatch, toSearch } from '@/components/reports/filter/filter-params';
import { narrowedBy } from '@/components/reports/filter/narrowed-by';
import { useFilter } from '@/components/reports/filter/use-filter';

/**
 * Address of another report of this instance, with the same snapshot and the current filter combined with `patch`.
 * `delimiter: null` removes the delimiter from the address, for a path that was cut by `:` anyway.
 */
export function useReportHref(instanceId: string) {
  const search = useSearchParams();
  const { filter } = useFilter();
  // The delimiter is kept, because a template is only meaningful together with the delimiter it was cut by.
  const kept = { snapshot: search.get('snapshot'), delimiter: search.get('delimiter') };
  return (page: string, patch: FilterPatch & { sort?: string; delimiter?: null } = {}) =>
    instanceAddress(instanceId, `/${page}`, toSearch({ ...kept, ...narrowedBy(filter, patch) }));
}

/**
 * For the page of a key: address of a list of keys under the current filter, with `only` replacing its fields. It does
 * not combine both, because the key may have been opened by its address alone; `db` is the database of the key there.
 */
export function useListHref(instanceId: string) {
  const search = useSearchParams();
  const { filter } = useFilter();
  const kept = { snapshot: search.get('snapshot'), delimiter: search.get('delimiter') };
  return (only: FilterPatch) =>
    instanceAddress(instanceId, '/keys', toSearch({ ...kept, ...filter, db: null, ...only }));
}

/**
 * Address of the page of one key. `db` is the database of the key there; the rest of the filter is kept, so that the
 * reader can return to the list.
 */
export function useKeyHref(instanceId: string) {
  const search = useSearchParams();
  const { filter } = useFilter();
  const kept = { snapshot: search.get('snapshot'), delimiter: search.get('delimiter') };
  return (k: string, db: number) =>
    instanceAddress(instanceId, `/keys/${encodeURIComponent(k)}`, toSearch({ ...filter, ...kept, db }));
}
