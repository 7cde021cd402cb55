import type { RedisSession } from '@/lib/redis/connection/session';

/** What a scan sends, as `INFO commandstats` names it (before 7.0 without the part after the bar). */
const INTERNAL = new Set(
  'scan type pttl pexpiretime strlen hlen llen scard zcard xlen memory|usage object|encoding object|idletime object|freq object|refcount memory object'.split(
    ' ',
  ),
);

/**
 * Server time that the scan's kinds of commands took from now until the returned function is called, ms. An upper
 * bound: other clients' calls of the same commands count too. null where commandstats is denied or was reset meanwhile.
 */
export async function measureServerTime(session: RedisSession, address: string): Promise<() => Promise<number | null>> {
  const before = await spent(session, address);
  return async () => {
    if (before === null) return null;
    const after = await spent(session, address);
    return after === null || after < before ? null : (after - before) / 1000;
  };
}

/** Microseconds since the server's statistics began. */
async function spent(session: RedisSession, address: string): Promise<number | null> {
  try {
    const client = await session.client(address);
    return serverMicroseconds(await client.info('commandstats'));
  } catch {
    // The cost is reported as unknown; reading keys is what matters.
    return null;
  }
}

export function serverMicroseconds(info: string): number | null {
  if (!/^# Commandstats/im.test(info)) return null;
  let sum = 0;
  for (const [, command, usec] of info.matchAll(/^cmdstat_([^:]+):calls=\d+,usec=(\d+)/gm)) {
    if (INTERNAL.has((command ?? '').toLowerCase())) sum += Number(usec);
  }
  return sum;
}
