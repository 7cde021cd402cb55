import { useTranslations } from 'use-intl';
import { FILTER_KEYS } from '@/components/reports/filter/filter-params';
import { useFilter } from '@/components/reports/filter/use-filter';
import { Button } from '@/components/ui/button';

/** Fields that name the level; the other fields of the filter exclude keys from it. */
const LEVEL_FIELDS: readonly string[] = ['prefix', 'template', 'exact'];

/** Shown in place of the nodes of an empty level, with a button that clears the filter if that is the reason. */
export function EmptyLevel() {
  const t = useTranslations('tree');
  const report = useTranslations('filters.report');
  const { filter, set } = useFilter();
  const others = FILTER_KEYS.filter((key) => !LEVEL_FIELDS.includes(key));
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
