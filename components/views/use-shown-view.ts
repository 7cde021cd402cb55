import { usePathname, useSearchParams } from 'next/navigation';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { readColumnChoices } from '@/components/data-table/use-column-choice';
import { buildViewSearch } from './view-href';

/** The current state of the page. */
export function useShownView(instanceId: string) {
  const pathname = usePathname();
  const search = useSearchParams();
  const { snapshotId, pending } = useCurrentSnapshot(instanceId);
  return {
    snapshotId,
    /** Whether the snapshot is not known yet. */
    pending,
    /**
     * The state as a view stores it. `pinned`: the view always shows the current snapshot, not the newest one.
     */
    shownView: (pinned: boolean) => ({
      page: pathname
        .split('/')
        .slice(3)
        .map((part) => `/${part}`)
        .join(''),
      search: buildViewSearch(new URLSearchParams(search), pinned ? snapshotId : null),
      columns: readColumnChoices(),
    }),
  };
}
