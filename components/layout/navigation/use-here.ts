import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback } from 'react';
import { buildInstanceAddress } from '@/components/data/address/instance-address';
import { extractSlice } from '@/components/data/address-slice';
import { getLastSlice } from './last-slice';

/**
 * Where the reader is: the instance of the address (null: none), the page below it (`/tree`, '' for the overview), and
 * the part of the query string that other pages of the instance keep (`slice`).
 */
export function useHere() {
  const pathname = usePathname();
  const search = useSearchParams();
  const match = /^\/instances\/([^/]+)(\/[^/]*)?(\/.)?/.exec(pathname);
  const instanceId = match?.[1] && match[1] !== 'new' ? decodeURIComponent(match[1]) : null;
  const page = instanceId ? (match?.[2] ?? '') : null;
  /** Whether the page shows one entry of a list: a key, a rule, a deletion. */
  const within = match?.[3] !== undefined;
  const slice = extractSlice(search, pathname);
  /**
   * Address of another page of an instance. Within the same instance it keeps snapshot, prefix and filter. For another
   * instance it uses that instance's last filter, so that a visit to the jobs or the fleet in between loses nothing.
   */
  const instanceHref = useCallback(
    (id: string, place: string) => buildInstanceAddress(id, place, id === instanceId ? slice : getLastSlice(id)),
    [instanceId, slice],
  );
  return { pathname, instanceId, page, within, slice, instanceHref };
}
