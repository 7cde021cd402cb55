import { openTarget } from '@/lib/access/credentials/open-target';
import {
  formatServerAddresses,
  judgeServerIdentity,
  type ServerVerdict,
} from '@/lib/deletions/run/judge-server-identity';
import { AppError } from '@/lib/model/errors';
import { isSameRegistration, type ServerIdentity } from '@/lib/model/servers/server-identity';
import { toRegistration } from '@/lib/redis/server/read-identity';
import type { StoredDeletion } from '@/lib/store/deletions/deletions';
import { readServerIdentity } from './compare-servers';

/**
 * Checks, before a person's decision is carried out, that the instance still points to the server that the decision was
 * about. Throws `other_server`. `unknown` = no server answers; the job that carries it out checks again.
 */
export async function assertSameServer(deletion: StoredDeletion): Promise<ServerVerdict | 'unknown'> {
  const knownServer = deletion.server;
  const target = await openTarget(deletion.plan.instanceId);
  const answeringServer = await readAnsweringServer(deletion.plan.instanceId);
  if (answeringServer === null) {
    const registration = toRegistration(target);
    if (!isSameRegistration(knownServer, registration))
      throw createOtherServerError(knownServer, registration.endpoints.join(', '));
    return 'unknown';
  }
  const verdict = judgeServerIdentity(knownServer, answeringServer);
  if (verdict === 'other') throw createOtherServerError(knownServer, formatServerAddresses(answeringServer));
  return verdict;
}

async function readAnsweringServer(instanceId: string): Promise<ServerIdentity | null> {
  try {
    return await readServerIdentity(instanceId);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const createOtherServerError = (knownServer: ServerIdentity, otherAddresses: string) =>
  new AppError(
    'other_server',
    `This is about ${formatServerAddresses(knownServer)}, but another server answers now (${otherAddresses}); nothing was sent there. Correct the address ` +
      'in the settings of the instance, or make a new plan.',
    { was: formatServerAddresses(knownServer), is: otherAddresses },
  );
