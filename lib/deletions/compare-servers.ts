import { createHash } from 'node:crypto';
import { verb } from '@/lib/access/auth/verb';
import { scopeToDeletion } from '@/lib/access/auth/verb-scopes';
import { readDestinationPolicy } from '@/lib/access/credentials/destination-policy';
import { openTarget } from '@/lib/access/credentials/open-target';
import { judgeServerIdentity } from '@/lib/deletions/run/judge-server-identity';
import type { Actor } from '@/lib/model/actor';
import type { ServerComparison, ServerIdentity } from '@/lib/model/servers/server-identity';
import { openSession } from '@/lib/redis/connection/connect';
import { readIdentity } from '@/lib/redis/server/read-identity';
import type { StoredDeletion } from '@/lib/store/deletions/deletions';
import { getDeletionOrThrow } from './get-deletion';

/**
 * Returns the server that a deletion is about and the one that answers now, so that a person can decide whether they
 * are the same. It only reads. Errors: `not_found`, and those of connecting.
 */
export const compareServers = verb(
  { needs: 'instance.read', on: scopeToDeletion },
  async (_actor: Actor, deletionId: string): Promise<ServerComparison> => {
    return compareWithAnswering(await getDeletionOrThrow(deletionId));
  },
);

export async function compareWithAnswering({ plan, server: knownServer }: StoredDeletion): Promise<ServerComparison> {
  const answeringServer = await readServerIdentity(plan.instanceId);
  return {
    was: knownServer,
    is: answeringServer,
    verdict: judgeServerIdentity(knownServer, answeringServer),
    seen: computeFingerprint(answeringServer),
  };
}

/** Reads the identity of the server that the instance points to. Errors: those of connecting. */
export async function readServerIdentity(instanceId: string): Promise<ServerIdentity> {
  const session = await openSession(await openTarget(instanceId), readDestinationPolicy(instanceId), {
    clientName: 'colonnade-plan',
  });
  try {
    return await readIdentity(session);
  } finally {
    await session.close();
  }
}

/**
 * The fingerprint changes with a failover, a restart or another address, but not with the replicas: they come and go.
 */
function computeFingerprint({ topology, endpoints, sentinelName, nodes }: ServerIdentity): string {
  const masters = nodes
    .filter(({ role }) => role === 'master')
    .map(({ address, runId, replicationId }) => [address, runId, replicationId])
    .sort();
  return createHash('sha256')
    .update(JSON.stringify([topology, endpoints, sentinelName, masters]))
    .digest('hex');
}
