import { useHere } from '@/components/layout/navigation/use-here';
import type { KeyFilter } from '@/lib/model/filter';

interface PageFilter {
  fields: readonly (keyof KeyFilter)[];
  /** The page shows data of a snapshot. */
  snapshot?: true;
}
const NOTHING: PageFilter = { fields: [] };

/** Pages that filter by a part of the fields only, and by which. `/*` is the page of one entry of such a list. */
const PAGES: Record<string, PageFilter> = {
  '/server': NOTHING,
  '/policy': NOTHING,
  '/edit': NOTHING,
  '/deletions': NOTHING,
  '/deletions/*': NOTHING,
  '/findings': { fields: ['prefix', 'template', 'owner'], snapshot: true },
  '/findings/*': { fields: ['prefix', 'template', 'owner'], snapshot: true },
  // The database is that of the key.
  '/keys/*': { fields: ['db'], snapshot: true },
};

/**
 * The fields of the filter that the current page filters by. null: a report, which filters by all. undefined: the page
 * belongs to no instance.
 */
export function usePageFilterFields(): PageFilter | null | undefined {
  const { page, within } = useHere();
  return page === null ? undefined : (PAGES[within ? `${page}/*` : page] ?? null);
}
