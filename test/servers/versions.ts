import { serverVersions as found, pickShortForm } from '@/scripts/ensure/server-versions.mjs';
import { LONG } from '../long-form.mjs';

export type ServerVersion = ReturnType<typeof found>[number];

/**
 * Returns the servers of this version (602 = 6.2) and later: all that are installed in the long form, four of them in
 * the short one.
 */
export function serverVersions(from: number): ServerVersion[] {
  const later = found().filter(({ number }) => number >= from);
  if (later.length === 0)
    throw new Error('These tests need a real Redis server: neither redis-server nor valkey-server is on PATH.');
  return LONG ? later : pickShortForm(later);
}

/**
 * The newest installed Redis that has vector sets; undefined if there is none. The first milestone of 8.0 lacks them.
 */
export const withVectorSets = (): ServerVersion | undefined =>
  found().findLast(({ number, valkey, version }) => !valkey && number >= 800 && !/-m\d+$/i.test(version));
