import { buildInstanceAddress } from '@/components/data/address/instance-address';
import type { SavedView } from '@/lib/model/saved-view';

/** The address of the page that a view shows. */
export const buildViewPage = ({
  instanceId,
  page,
  search,
}: Pick<SavedView, 'instanceId' | 'page' | 'search'>): string =>
  buildInstanceAddress(instanceId, page, search === '' ? '' : `?${search}`);

/** The link for sharing: it opens the view as it is stored at that time, with its columns. */
export const buildViewLink = ({ instanceId, id }: Pick<SavedView, 'instanceId' | 'id'>): string =>
  buildInstanceAddress(instanceId, `/views/${encodeURIComponent(id)}`);

/**
 * The query string of a page as a view stores it: with `latest`, which is the newest snapshot whenever the view is
 * opened, or with one fixed snapshot.
 */
export function buildViewSearch(search: URLSearchParams, snapshotId: string | null): string {
  const kept = new URLSearchParams(search);
  kept.set('snapshot', snapshotId ?? 'latest');
  return kept.toString();
}

/** Whether the view always opens the same snapshot, not the newest one. */
export const keepsSnapshot = ({ search }: Pick<SavedView, 'search'>): boolean =>
  (new URLSearchParams(search).get('snapshot') ?? 'latest') !== 'latest';
