import { usePathname, useSearchParams } from 'next/navigation';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { columnChoices } from '@/components/data-table/use-column-choice';
import { searchOfView } from './view-href';

/** How the page is looked at now, as a view keeps it. `pinned`: with the snapshot of now, not the latest of then. */
export function useShownView(instanceId: string) {
  const pathname = usePathname();
  const search = useSearchParams();
  const { snapshotId, pending } = useCurrentSnapshot(instanceId);
  return {
    snapshotId,
    /** Which snapshot that is, is not known yet. */
    pending,
    shownView: (pinned: boolean) => ({
      page: pathname
        .split('/')
        .slice(3)
        .map((part) => `/${part}`)
        .join(''),
      search: searchOfView(new URLSearchParams(search), pinned ? snapshotId : null),
      columns: columnChoices(),
    }),
  };
}
