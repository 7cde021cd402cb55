import { buildAclRules } from '@/lib/model/servers/acl-users';
import type { RedisSession } from '@/lib/redis/connection/session';

/** Commands that a scan sends, as `INFO commandstats` names them (before 7.0 without the part after the bar). */
export const SCAN_CALLS: ReadonlySet<string> = new Set(
  'scan type pttl pexpiretime strlen hlen llen scard zcard xlen vcard arcount memory|usage object|encoding object|idletime object|freq object|refcount memory object'.split(
    ' ',
  ),
);

/** Commands that a deletion or an undo sends, including those that the server may not know. */
export const DELETION_CALLS: ReadonlySet<string> = new Set(
  buildAclRules('delete', { flavor: 'redis', version: '99.0' })
    .split(' ')
    .flatMap((right) => [right.slice(1), right.slice(1).split('|')[0] ?? '']),
);
/** Commands that read bounded pages: either within a script, whose own time includes theirs, or directly. */
const PAGE_READERS = new Set(['hscan', 'sscan', 'zrange', 'zscan', 'lrange', 'lindex', 'xrange', 'getrange']);

/**
 * Measures the server time in ms that these commands take from now until the returned function is called. It is an
 * upper bound, because other clients' calls of the same commands count too. null = commandstats is denied or was reset
 * meanwhile.
 */
export async function measureServerTime(
  session: RedisSession,
  address: string,
  calls: ReadonlySet<string>,
): Promise<() => Promise<number | null>> {
  const before = await readMicroseconds(session, address, calls);
  return async () => {
    if (before === null) return null;
    const after = await readMicroseconds(session, address, calls);
    return after === null || after < before ? null : (after - before) / 1000;
  };
}

/** Returns the microseconds since the server's statistics began; null = unknown. */
async function readMicroseconds(
  session: RedisSession,
  address: string,
  calls: ReadonlySet<string>,
): Promise<number | null> {
  try {
    const client = await session.client(address);
    return sumServerMicroseconds(await client.info('commandstats'), calls);
  } catch {
    // The cost is then reported as unknown; reading keys is more important.
    return null;
  }
}

export function sumServerMicroseconds(info: string, calls: ReadonlySet<string>): number | null {
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
