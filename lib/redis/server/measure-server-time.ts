import { aclRules } from '@/lib/model/servers/acl-users';
import type { RedisSession } from '@/lib/redis/connection/session';

/** What a scan sends, as `INFO commandstats` names it (before 7.0 without the part after the bar). */
export const SCAN_CALLS: ReadonlySet<string> = new Set(
  'scan type pttl pexpiretime strlen hlen llen scard zcard xlen vcard arcount memory|usage object|encoding object|idletime object|freq object|refcount memory object'.split(
    ' ',
  ),
);

/** What a deletion or an undo sends, whatever the server knows of it. */
export const DELETION_CALLS: ReadonlySet<string> = new Set(
  aclRules('delete', { flavor: 'redis', version: '99.0' })
    .split(' ')
    .flatMap((right) => [right.slice(1), right.slice(1).split('|')[0] ?? '']),
);
/** What bounded pages are read with: within a script, whose own time holds theirs, or by themselves. */
const PAGE_READERS = new Set(['hscan', 'sscan', 'zrange', 'zscan', 'lrange', 'lindex', 'xrange', 'getrange']);

/**
 * Server time that these kinds of commands took from now until the returned function is called, ms. An upper
 * bound: other clients' calls of the same commands count too. null where commandstats is denied or was reset meanwhile.
 */
export async function measureServerTime(
  session: RedisSession,
  address: string,
  calls: ReadonlySet<string>,
): Promise<() => Promise<number | null>> {
  const before = await spent(session, address, calls);
  return async () => {
    if (before === null) return null;
    const after = await spent(session, address, calls);
    return after === null || after < before ? null : (after - before) / 1000;
  };
}

/** Microseconds since the server's statistics began. */
async function spent(session: RedisSession, address: string, calls: ReadonlySet<string>): Promise<number | null> {
  try {
    const client = await session.client(address);
    return serverMicroseconds(await client.info('commandstats'), calls);
  } catch {
    // The cost is reported as unknown; reading keys is what matters.
    return null;
  }
}

export function serverMicroseconds(info: string, calls: ReadonlySet<string>): number | null {
  if (!/^# Commandstats/im.test(info)) return null;
  let sum = 0;
  let scripts = 0;
  let readers = 0;
  for (const [, name, usec] of info.matchAll(/^cmdstat_([^:]+):calls=\d+,usec=(\d+)/gm)) {
    const command = (name ?? '').toLowerCase();
    if (!calls.has(command)) continue;
    if (command === 'eval') scripts += Number(usec);
    else if (PAGE_READERS.has(command)) readers += Number(usec);
    else sum += Number(usec);
  }
  return sum + Math.max(scripts, readers);
}
