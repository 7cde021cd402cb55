import { serverVersions as found } from '@/scripts/ensure/server-versions.mjs';

export type ServerVersion = ReturnType<typeof found>[number];

/** What `npm test` takes of each version; LONG=1 takes all of it. */
export const LONG = process.env.LONG === '1';

/** What one suite takes at most of one version in the short form, its server included, on a machine of any kind. */
export const SHORT_FORM_MS = 20_000;

/** Servers of this version (602 = 6.2) and later that are at hand: on PATH, and in COLONNADE_TEST_SERVERS. */
export function serverVersions(from: number): ServerVersion[] {
  const versions = found().filter(({ number }) => number >= from);
  if (versions.length === 0)
    throw new Error('These tests need a real Redis server: neither redis-server nor valkey-server is on PATH.');
  return versions;
}
