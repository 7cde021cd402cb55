import { useSearchParams } from 'next/navigation';
import { buildInstanceAddress } from '@/components/data/address/instance-address';
import type { FilterPatch } from '@/components/reports/filter/filter-params';
import { useFilter } from '@/components/reports/filter/use-filter';
import type { KeyFilter } from '@/lib/model/filter';
import { toQueryString } from '@/lib/model/text/api-address';

/**
 * The parameters besides the filter that links keep: the snapshot, and the delimiter, because a template is only
 * meaningful together with the delimiter it was cut by.
 */
function useKeptParams() {
  const search = useSearchParams();
  return { snapshot: search.get('snapshot'), delimiter: search.get('delimiter') };
}

/**
 * Address of another report of this instance, with the same snapshot and the current filter combined with `patch`.
 * `delimiter: null` removes the delimiter from the address, for a path that was cut by `:` anyway.
 */
export function useReportHref(instanceId: string) {
  const kept = useKeptParams();
  const { filter } = useFilter();
  return (page: string, patch: FilterPatch & { sort?: string; delimiter?: null } = {}) =>
    buildInstanceAddress(instanceId, `/${page}`, toQueryString({ ...kept, ...narrowFilter(filter, patch) }));
}

/**
 * Returns, for the page of a key, the address of a list of keys under the current filter, with `only` replacing its
 * fields. It does not combine both, because the key may have been opened by its address alone; `db` is the database of
 * the key there.
 */
export function useListHref(instanceId: string) {
  const kept = useKeptParams();
  const { filter } = useFilter();
  return (only: FilterPatch) =>
    buildInstanceAddress(instanceId, '/keys', toQueryString({ ...kept, ...filter, db: null, ...only }));
}

/**
 * Address of the page of one key. `db` is the database of the key there; the rest of the filter is kept, so that the
 * reader can return to the list.
 */
export function useKeyHref(instanceId: string) {
  const kept = useKeptParams();
  const { filter } = useFilter();
  return (k: string, db: number) =>
    buildInstanceAddress(instanceId, `/keys/${encodeURIComponent(k)}`, toQueryString({ ...filter, ...kept, db }));
}

/**
 * `filter` combined with `patch`: the keys that a page under this filter has counted for one of its rows. A bound
 * narrows the filter and never widens it; undefined changes nothing, null removes a field.
 */
export function narrowFilter<P extends FilterPatch>(filter: KeyFilter, patch: P): FilterPatch & P {
  const narrowed: Record<string, unknown> = { ...filter };
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    const current = filter[name as keyof KeyFilter];
    const hasBoth = typeof value === 'number' && typeof current === 'number';
    if (hasBoth && name.endsWith('Min')) narrowed[name] = Math.max(value, current);
    else if (hasBoth && name.endsWith('Max')) narrowed[name] = Math.min(value, current);
    else narrowed[name] = value;
  }
  return narrowed as FilterPatch & P;
}
