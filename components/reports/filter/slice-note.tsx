import { useTranslations } from 'use-intl';
import { useHere } from '@/components/layout/use-here';
import type { KeyFilter } from '@/lib/model/filter';
import { FilterChips } from './filter-chips-row';

/** Pages that ask a part of the keyspace, and by what. Other report pages ask by the whole filter and have its bar. */
const ASKED: Record<string, readonly (keyof KeyFilter)[]> = {
  '': [],
  '/server': [],
  '/policy': [],
  '/deletions': [],
  '/findings': ['prefix', 'template', 'owner'],
};

/** The filter travels from page to page; where a page does not ask by it, it says so and keeps the way out at hand. */
export function SliceNote() {
  const t = useTranslations('filters');
  const { page } = useHere();
  const asked = page === null ? undefined : ASKED[page];
  if (asked === undefined) return null;
  return (
    <FilterChips hidden={asked}>
      <span className="text-muted-foreground text-xs">{t('notAsked')}</span>
    </FilterChips>
  );
}
