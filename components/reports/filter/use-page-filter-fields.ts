import { useHere } from '@/components/layout/navigation/use-here';
import type { KeyFilter } from '@/lib/model/filter';

interface AskedOfPage {
  filter: readonly (keyof KeyFilter)[];
  /** The page shows data of a snapshot. */
  snapshot?: true;
}
const NOTHING: AskedOfPage = { filter: [] };

/** Pages that filter by a part of the fields only, and by which. `/*` is the page of one entry of such a list. */
const ASKED: Record<string, AskedOfPage> = {
  '/server': NOTHING,
  '/policy': NOTHING,
  '/edit': NOTHING,
  '/deletions': NOTHING,
  '/deletions/*': NOTHING,
  '/findings': { filter: ['prefix', 'template', 'owner'], snapshot: true },
  '/findings/*': { filter: ['prefix', 'template', 'owner'], snapshot: true },
  // The database is that of the key.
  '/keys/*': { filter: ['db'], snapshot: true },
};

/**
 * The fields of the filter that the current page filters by. null: a report, which filters by all. undefined: the page
 * belongs to no instance.
 */
export function usePageFilterFields(): AskedOfPage | null | undefined {
  const { page, within } = useHere();
  return page === null ? undefined : (ASKED[within ? `${page}/*` : page] ?? null);
}
