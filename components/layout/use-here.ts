'use client';
import { usePathname, useSearchParams } from 'next/navigation';

/** Where the reader is: the instance of the URL and the page below it. */
export function useHere() {
  const pathname = usePathname();
  const snapshot = useSearchParams().get('snapshot');
  const match = /^\/instances\/([^/]+)(\/[^/]*)?/.exec(pathname);
  const instanceId = match?.[1] && match[1] !== 'new' ? decodeURIComponent(match[1]) : null;
  const page = instanceId ? (match?.[2] ?? '') : null;
  /** Address of another page of an instance; the chosen snapshot goes along within the same instance. */
  const instanceHref = (id: string, place: string) => {
    const keep = id === instanceId && snapshot ? `?snapshot=${encodeURIComponent(snapshot)}` : '';
    return `/instances/${encodeURIComponent(id)}${place}${keep}`;
  };
  return { pathname, instanceId, page, instanceHref };
}
