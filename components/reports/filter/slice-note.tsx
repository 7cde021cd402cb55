import { useTranslations } from 'use-intl';
import { FilterChips } from './filter-chips-row';
import { useAskedOfPage } from './use-asked-of-page';

/**
 * The filter travels from page to page; where a page does not ask by it, it says so and keeps the way out at hand. What
 * the page does ask by it shows itself: report pages have the bar of the filter, the overview its chips,
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
