import type { KeyFilter } from '@/lib/model/filter';
import type { FilterPatch } from './filter-params';

/**
 * `filter` combined with `patch`: the keys that a page under this filter has counted for one of its rows. A bound
 * narrows the filter and never widens it; undefined changes nothing, null removes a field.
 */
export function narrowedBy<P extends FilterPatch>(filter: KeyFilter, patch: P): FilterPatch & P {
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
