import type { Redis } from 'ioredis';
import { readConfigValue } from './capabilities';

/**
 * Returns whether a node frees the memory of expired keys in the background (lazyfree-lazy-expire). Before 4.0 there is
 * no such setting, and the main thread frees it. null = the setting may not be read.
 */
export async function readLazyExpire(client: Redis, version: string | null): Promise<boolean | null> {
  const value = await readConfigValue(client, 'lazyfree-lazy-expire');
  if (value !== null) return value === 'yes';
  return Number.parseInt(version ?? '', 10) < 4 ? false : null;
}
