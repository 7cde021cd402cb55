import { useHere } from '@/components/layout/navigation/use-here';
import type { KeyFilter } from '@/lib/model/filter';

interface AskedOfPage {
  filter: readonly (keyof KeyFilter)[];
  /** Shows what a snapshot knows. */
  snapshot?: true;
}
const NOTHING: AskedOfPage = { filter: [] };

/** Pages that ask a part of the keyspace, and by what; `/*` is the page of one of what is listed there. */
const ASKED: Record<string, AskedOfPage> = {
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

/** By what of the filter the page shown asks. null: a report, by all of it. undefined: a page of no instance. */
export function useAskedOfPage(): AskedOfPage | null | undefined {
  const { page, within } = useHere();
  return page === null ? undefined : (ASKED[within ? `${page}/*` : page] ?? null);
}
