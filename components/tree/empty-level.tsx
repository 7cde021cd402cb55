import { useTranslations } from 'use-intl';
import { FILTER_KEYS } from '@/components/reports/filter/filter-params';
import { useFilter } from '@/components/reports/filter/use-filter';
import { Button } from '@/components/ui/button';

/** Where one is in the tree; the rest of the filter leaves keys out of it. */
const PLACE: readonly string[] = ['prefix', 'template', 'exact'];

/** In place of the nodes of a level that has none, and the way out where a filter is why. */
export function EmptyLevel() {
  const t = useTranslations('tree');
  const report = useTranslations('filters.report');
  const { filter, set } = useFilter();
  const others = FILTER_KEYS.filter((key) => !PLACE.includes(key));
  if (!others.some((key) => filter[key] !== undefined)) return t('levelEmpty');
  return (
    <span className="inline-flex flex-wrap items-center justify-center gap-2">
      {t('levelFiltered')}
      <Button size="sm" onClick={() => set(Object.fromEntries(others.map((key) => [key, null])), 'push')}>
        {report('clearFilters')}
      </Button>
    </span>
  );
}
