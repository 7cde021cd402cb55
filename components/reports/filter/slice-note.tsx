import { useTranslations } from 'use-intl';
import { FilterChips } from './filter-chips-row';
import { useAskedOfPage } from './use-asked-of-page';

/**
 * Links keep the filter from page to page. A page that does not filter by it says so here and offers to remove it.
 * Fields that the page does filter by are shown elsewhere: report pages have the filter bar, the overview its chips,
 * findings their scope.
 */
export function SliceNote() {
  const t = useTranslations('filters');
  const asked = useAskedOfPage();
  if (!asked) return null;
  return (
    <FilterChips hidden={asked.filter} snapshot={asked.snapshot ? 'asked' : 'kept'}>
      <span className="text-muted-foreground text-xs">{t('notAsked')}</span>
    </FilterChips>
  );
}
