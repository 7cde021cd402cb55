import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback } from 'react';
import { instanceAddress } from '@/components/data/address/instance-address';
import { sliceOf } from '@/components/data/slice-of';
import { lastSlice } from './last-slice';

/** Where the reader is: the instance of the URL and the page below it. */
export function useHere() {
  const pathname = usePathname();
  const search = useSearchParams();
  const match = /^\/instances\/([^/]+)(\/[^/]*)?(\/.)?/.exec(pathname);
  const instanceId = match?.[1] && match[1] !== 'new' ? decodeURIComponent(match[1]) : null;
  const page = instanceId ? (match?.[2] ?? '') : null;
  /** One of what the page lists: a key, a rule, a deletion. */
  const within = match?.[3] !== undefined;
  const slice = sliceOf(search, pathname);
  /**
   * Address of another page of an instance; snapshot, prefix and filter go along within the same instance. Another one
   * goes on with what was last looked at of it, so that the jobs or the fleet may be seen in between.
   */
  const instanceHref = useCallback(
    (id: string, place: string) => instanceAddress(id, place, id === instanceId ? slice : lastSlice(id)),
    [instanceId, slice],
  );
  return { pathname, instanceId, page, within, slice, instanceHref };
}
