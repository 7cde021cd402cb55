import type { Redis } from 'ioredis';

/** What tests compare keys by: the sums that Redis itself makes of names, values and whether there is an expiry. */
export const WITH_DIGEST = ['--enable-debug-command', 'yes'];

/** Of one key: its value, and whether it expires. Forty zeros where there is none. */
export async function digestOf(client: Redis, name: string): Promise<string> {
  return String(((await client.call('DEBUG', 'DIGEST-VALUE', name)) as string[])[0]);
}

/** Of the whole server: every name, value and expiry. */
export async function digestOfAll(client: Redis): Promise<string> {
  return String(await client.call('DEBUG', 'DIGEST'));
}
