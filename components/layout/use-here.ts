import { usePathname, useSearchParams } from 'next/navigation';
import { sliceOf } from '@/components/data/slice-of';

/** Where the reader is: the instance of the URL and the page below it. */
export function useHere() {
  const pathname = usePathname();
  const search = useSearchParams();
  const match = /^\/instances\/([^/]+)(\/[^/]*)?/.exec(pathname);
  const instanceId = match?.[1] && match[1] !== 'new' ? decodeURIComponent(match[1]) : null;
  const page = instanceId ? (match?.[2] ?? '') : null;
  const slice = sliceOf(search, pathname);
  /** Address of another page of an instance; snapshot, prefix and filter go along within the same instance. */
  const instanceHref = (id: string, place: string) =>
    `/instances/${encodeURIComponent(id)}${place}${id === instanceId ? slice : ''}`;
  return { pathname, instanceId, page, instanceHref };
}
