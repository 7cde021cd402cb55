import type { Redis } from 'ioredis';

/** Tests compare keys by the digests that Redis computes from names, values and whether there is an expiry. */
export const WITH_DIGEST = ['--enable-debug-command', 'yes'];

/** Returns the digest of one key: its value, and whether it expires. Forty zeros if the key does not exist. */
export async function computeDigest(client: Redis, name: string): Promise<string> {
  return String(((await client.call('DEBUG', 'DIGEST-VALUE', name)) as string[])[0]);
}

/** Returns the digest of the whole server: every name, value and expiry. */
export async function digestOfAll(client: Redis): Promise<string> {
  return String(await client.call('DEBUG', 'DIGEST'));
}
