import { readDestinationPolicy } from '@/lib/access/credentials/destination-policy';
import { openTarget } from '@/lib/access/credentials/open-target';
import { AppError } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { isSamePlace, type ServerIdentity } from '@/lib/model/servers/server-identity';
import { parseAddress } from '@/lib/redis/connection/address';
import { openSession } from '@/lib/redis/connection/connect';
import { readIdentity, toRegistration } from '@/lib/redis/server/read-identity';
import type { StoredDeletion } from '@/lib/store/deletions/deletions';
import { hasKnownId, judgeServerIdentity } from './judge-server-identity';

/**
 * With these errors no Redis server answers. A server that refuses the connection (a password, TLS, a permission) does
 * answer.
 */
const NOBODY = new Set<string>([
  'redis_dns',
  'redis_unreachable',
  'redis_timeout',
  'redis_master_unknown',
  'redis_not_redis',
]);

/**
 * Checks whether the server of any of these deletions answers: where its instance points to now, and where it was last
 * seen, because the address may have been edited since. Another server at that address does not count. Returns its
 * address; null = none answers.
 */
export async function findAnsweringServer(deletions: readonly StoredDeletion[]): Promise<string | null> {
  const [first] = deletions;
  if (!first) return null;
  const target = await openTarget(first.plan.instanceId);
  const places: ConnectionTarget[] = [target];
  for (const { server } of deletions)
    if (server && !places.some((place) => isSamePlace(toRegistration(place), server)))
      places.push(toLastTarget(target, server));
  for (const place of places) {
    const is = await readAnswer(place);
    if (is === null) continue;
    if (is === 'refuses') return toRegistration(place).endpoints.join(', ');
    // The claim of the server is enough here: nothing is given up while it may be the right one.
    if (
      deletions.some(
        ({ server }) => server === null || judgeServerIdentity(server, is) !== 'other' || hasKnownId(server, is),
      )
    )
      return is.endpoints.join(', ');
  }
  return null;
}

/** The last address, without user name and passwords: those are for the address that is registered now. */
const toLastTarget = (
  target: ConnectionTarget,
  { topology, endpoints, sentinelName }: ServerIdentity,
): ConnectionTarget => ({
  ...target,
  topology,
  endpoints: endpoints.flatMap((address) => parseAddress(address) ?? []),
  sentinelName,
  username: null,
  password: null,
  sentinelPassword: null,
  writePassword: null,
});

async function readAnswer(target: ConnectionTarget): Promise<ServerIdentity | 'refuses' | null> {
  try {
    const session = await openSession(target, readDestinationPolicy(target.id, { endpoints: target.endpoints }), {
      clientName: 'colonnade-plan',
    });
    try {
      return await readIdentity(session);
    } finally {
      await session.close();
    }
  } catch (error) {
    if (error instanceof AppError) return NOBODY.has(error.code) ? null : 'refuses';
    throw error;
  }
}
