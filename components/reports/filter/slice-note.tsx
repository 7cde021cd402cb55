import { useTranslations } from 'use-intl';
import { useHere } from '@/components/layout/navigation/use-here';
import type { KeyFilter } from '@/lib/model/filter';
import { FilterChips } from './filter-chips-row';

interface Asked {
  filter: readonly (keyof KeyFilter)[];
  /** Shows what a snapshot knows. */
  snapshot?: true;
}
const NOTHING: Asked = { filter: [] };

/**
 * Pages that ask a part of the keyspace, and by what; `/*` is the page of one of what is listed there. Other report
 * pages ask by the whole filter and have its bar.
 */
const ASKED: Record<string, Asked> = {
  '': { filter: [], snapshot: true },
  '/server': NOTHING,
  '/policy': NOTHING,
  '/edit': NOTHING,
  '/deletions': NOTHING,
  '/deletions/*': NOTHING,
  '/findings': { filter: ['prefix', 'template', 'owner'], snapshot: true },
  '/findings/*': { filter: ['prefix', 'template', 'owner'], snapshot: true },
  // The database is the one of the key.
  '/keys/*': { filter: ['db'], snapshot: true },
};

/** The filter travels from page to page; where a page does not ask by it, it says so and keeps the way out at hand. */
export function SliceNote() {
  const t = useTranslations('filters');
  const { page, within } = useHere();
  const asked = page === null ? undefined : ASKED[within ? `${page}/*` : page];
  if (asked === undefined) return null;
  return (
    <FilterChips hidden={asked.filter} snapshot={asked.snapshot ? 'asked' : 'kept'}>
      <span className="text-muted-foreground text-xs">{t('notAsked')}</span>
    </FilterChips>
  );
}
