import { readDestinationPolicy } from '@/lib/access/credentials/destination-policy';
import { openTarget } from '@/lib/access/credentials/open-target';
import { AppError } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { isSameRegistration, type ServerIdentity } from '@/lib/model/servers/server-identity';
import { parseAddress } from '@/lib/redis/connection/address';
import { openSession } from '@/lib/redis/connection/connect';
import { readIdentity, toRegistration } from '@/lib/redis/server/read-identity';
import type { StoredDeletion } from '@/lib/store/deletions/deletions';
import { hasKnownId, judgeServerIdentity } from './judge-server-identity';

/**
 * With these errors no Redis server answers. A server that refuses the connection (a password, TLS, a permission) does
 * answer.
 */
const NO_REDIS_ANSWERS = new Set<string>([
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
  const [firstDeletion] = deletions;
  if (!firstDeletion) return null;
  const target = await openTarget(firstDeletion.plan.instanceId);
  const targets: ConnectionTarget[] = [target];
  for (const { server } of deletions)
    if (server && !targets.some((known) => isSameRegistration(toRegistration(known), server)))
      targets.push(buildLastTarget(target, server));
  for (const otherTarget of targets) {
    const answer = await readServerAt(otherTarget);
    if (answer === null) continue;
    if (answer === 'refuses') return toRegistration(otherTarget).endpoints.join(', ');
    // The ids that the server reports are enough here: nothing is given up while it may be the right one.
    if (
      deletions.some(
        ({ server }) =>
          server === null || judgeServerIdentity(server, answer) !== 'other' || hasKnownId(server, answer),
      )
    )
      return answer.endpoints.join(', ');
  }
  return null;
}

/** The last address, without user name and passwords: those are for the address that is registered now. */
const buildLastTarget = (
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

async function readServerAt(target: ConnectionTarget): Promise<ServerIdentity | 'refuses' | null> {
  try {
    const session = await openSession(target, readDestinationPolicy(target.id, target), {
      clientName: 'colonnade-plan',
    });
    try {
      return await readIdentity(session);
    } finally {
      await session.close();
    }
  } catch (error) {
    if (error instanceof AppError) return NO_REDIS_ANSWERS.has(error.code) ? null : 'refuses';
    throw error;
  }
}
