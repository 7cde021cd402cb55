import type { KeyFilter } from '@/lib/model/filter';

/**
 * The fields of the key filter in the address. Every page of an instance reads them, so links between pages keep them.
 */
const FILTER: Record<keyof KeyFilter, true> = {
  prefix: true,
  search: true,
  template: true,
  exact: true,
  type: true,
  encoding: true,
  expiry: true,
  ttlMin: true,
  ttlMax: true,
  bytesMin: true,
  bytesMax: true,
  lengthMin: true,
  lengthMax: true,
  idleMin: true,
  idleMax: true,
  nameBytesMin: true,
  nameBytesMax: true,
  elementBytesMin: true,
  elementBytesMax: true,
  freqMin: true,
  freqMax: true,
  db: true,
  node: true,
  slotMin: true,
  slotMax: true,
  tag: true,
  rule: true,
  strength: true,
  exempt: true,
  owner: true,
  big: true,
};
/** The delimiter is included because a template is only meaningful together with the delimiter it was cut by. */
const SLICE = ['snapshot', 'delimiter', ...Object.keys(FILTER)];

/**
 * The part of an address that applies to every page of its instance: snapshot, prefix and filter, but not the sorting
 * of one page. `?…`, or an empty string. On the page of a key, `db` is the database of the key.
 */
export function extractSlice(search: URLSearchParams, pathname: string): string {
  const ofKey = /^\/instances\/[^/]+\/keys\/./.test(pathname);
  const kept = new URLSearchParams();
  for (const name of SLICE) {
    const value = search.get(name);
    if (value && !(ofKey && name === 'db')) kept.set(name, value);
  }
  return kept.size > 0 ? `?${kept}` : '';
}
