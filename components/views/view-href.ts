import { instanceAddress } from '@/components/data/address/instance-address';
import type { SavedView } from '@/lib/model/saved-view';

/** The page that a view is of. */
export const pageOfView = ({ instanceId, page, search }: Pick<SavedView, 'instanceId' | 'page' | 'search'>): string =>
  instanceAddress(instanceId, page, search === '' ? '' : `?${search}`);

/** What is passed on: it opens the view as it is then, with its columns. */
export const linkOfView = ({ instanceId, id }: Pick<SavedView, 'instanceId' | 'id'>): string =>
  instanceAddress(instanceId, `/views/${encodeURIComponent(id)}`);

/** The query text of a page as a view keeps it: the latest snapshot whenever it is opened, or the one of today. */
export function searchOfView(search: URLSearchParams, snapshotId: string | null): string {
  const kept = new URLSearchParams(search);
  kept.set('snapshot', snapshotId ?? 'latest');
  return kept.toString();
}

/** It opens one snapshot, whichever is the latest then. */
export const keepsSnapshot = ({ search }: Pick<SavedView, 'search'>): boolean =>
  !['latest', null].includes(new URLSearchParams(search).get('snapshot'));
