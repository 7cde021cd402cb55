import { useTranslations } from 'use-intl';
import { FilterChips } from './filter-chips-if-any';
import { usePageFilterFields } from './use-page-filter-fields';

/**
 * Links keep the filter from page to page. A page that does not filter by it says so here and offers to remove it.
 * Fields that the page does filter by are shown elsewhere: report pages have the filter bar, the overview its chips,
 * findings their scope.
 */
export function SliceNote() {
  const t = useTranslations('filters');
  const pageFilter = usePageFilterFields();
  if (!pageFilter) return null;
  return (
    <FilterChips hidden={pageFilter.fields} snapshot={pageFilter.snapshot ? 'shown' : 'ignored'}>
      <span className="text-muted-foreground text-xs">{t('notAsked')}</span>
    </FilterChips>
  );
}
