/**
 * A slice is the part of the keys that the reader looks at: a snapshot, and a filter on its keys. It is a part of the
 * address, so that links between the pages of an instance keep it.
 */

import type { KeyFilter } from '@/lib/model/filter';

/**
 * The fields of the key filter in the address. They are listed once more here, because FILTER_NAMES would load zod into
 * every page, and components/data may not import components/reports. The type makes the list complete.
 */
const FILTER_FIELDS: Record<keyof KeyFilter, true> = {
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
const SLICE = ['snapshot', 'delimiter', ...Object.keys(FILTER_FIELDS)];

/**
 * Returns the slice of an address as `?…`, or an empty string. It contains nothing that belongs to one page, such as
 * its sorting. On the page of a key, `db` names the database of that key and is no filter, so it is not kept.
 */
export function extractSlice(search: URLSearchParams, pathname: string): string {
  const isKeyPage = /^\/instances\/[^/]+\/keys\/./.test(pathname);
  const kept = new URLSearchParams();
  for (const name of SLICE) {
    const value = search.get(name);
    if (value && !(isKeyPage && name === 'db')) kept.set(name, value);
  }
  return kept.size > 0 ? `?${kept}` : '';
}
