import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useHere } from '@/components/layout/navigation/use-here';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { buildFilterChips } from './filter-chips';
import { useFilter } from './use-filter';

/** Most pages are opened without a filter. */
const FilterChipsRow = createLazyPart(() => import('./filter-chips-row').then((loaded) => loaded.FilterChipsRow));

/** The set fields of the filter as chips, and the chosen snapshot; nothing if neither is set. */
export function FilterChips(props: Parameters<typeof FilterChipsRow>[0]) {
  const { filter } = useFilter();
  const { pinned } = useCurrentSnapshot(useHere().instanceId);
  return pinned || buildFilterChips(filter).length > 0 ? <FilterChipsRow {...props} /> : null;
}
