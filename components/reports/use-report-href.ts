import { useSearchParams } from 'next/navigation';
import { buildInstanceAddress } from '@/components/data/address/instance-address';
import { type FilterPatch, toSearch } from '@/components/reports/filter/filter-params';
import { useFilter } from '@/components/reports/filter/use-filter';
import type { KeyFilter } from '@/lib/model/filter';

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
    buildInstanceAddress(instanceId, `/${page}`, toSearch({ ...kept, ...narrowFilter(filter, patch) }));
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
    buildInstanceAddress(instanceId, '/keys', toSearch({ ...kept, ...filter, db: null, ...only }));
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
    buildInstanceAddress(instanceId, `/keys/${encodeURIComponent(k)}`, toSearch({ ...filter, ...kept, db }));
}

/**
 * `filter` combined with `patch`: the keys that a page under this filter has counted for one of its rows. A bound
 * narrows the filter and never widens it; undefined changes nothing, null removes a field.
 */
export function narrowFilter<P extends FilterPatch>(filter: KeyFilter, patch: P): FilterPatch & P {
  const both: Record<string, unknown> = { ...filter };
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    const asked = filter[name as keyof KeyFilter];
    const bounds = typeof value === 'number' && typeof asked === 'number' ? ([value, asked] as const) : null;
    if (bounds && name.endsWith('Min')) both[name] = Math.max(...bounds);
    else if (bounds && name.endsWith('Max')) both[name] = Math.min(...bounds);
    else both[name] = value;
  }
  return both as FilterPatch & P;
}
