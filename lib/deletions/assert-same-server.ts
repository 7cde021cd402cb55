import { openTarget } from '@/lib/access/credentials/open-target';
import { formatServerPlace, judgeServerIdentity, type ServerVerdict } from '@/lib/deletions/run/judge-server-identity';
import { AppError } from '@/lib/model/errors';
import { isSamePlace, type ServerIdentity } from '@/lib/model/servers/server-identity';
import { toRegistration } from '@/lib/redis/server/read-identity';
import type { StoredDeletion } from '@/lib/store/deletions/deletions';
import { readServerIdentity } from './compare-servers';

/**
 * Checks, before a person's decision is carried out, that the instance still points to the server that the decision was
 * about. Throws `other_server`. `unknown` = no server answers; the job that carries it out checks again.
 */
export async function assertSameServer(deletion: StoredDeletion): Promise<ServerVerdict | 'unknown'> {
  const was = deletion.server;
  const target = await openTarget(deletion.plan.instanceId);
  const is = await readAnsweringServer(deletion.plan.instanceId);
  if (is === null) {
    const here = toRegistration(target);
    if (!isSamePlace(was, here)) throw createOtherServerError(was, here.endpoints.join(', '));
    return 'unknown';
  }
  const verdict = judgeServerIdentity(was, is);
  if (verdict === 'other') throw createOtherServerError(was, formatServerPlace(is));
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

const createOtherServerError = (was: ServerIdentity, is: string) =>
  new AppError(
    'other_server',
    `This is about ${formatServerPlace(was)}, but another server answers now (${is}); nothing was sent there. Correct the address ` +
      'in the settings of the instance, or make a new plan.',
    { was: formatServerPlace(was), is },
  );
