import { openTarget } from '@/lib/access/credentials/open-target';
import { judgeServerIdentity, placeOf, type ServerVerdict } from '@/lib/deletions/run/judge-server-identity';
import { AppError } from '@/lib/model/errors';
import { type ServerIdentity, samePlace } from '@/lib/model/servers/server-identity';
import { registeredAs } from '@/lib/redis/server/read-identity';
import type { StoredDeletion } from '@/lib/store/deletions/deletions';
import { identityOf } from './compare-servers';

/**
 * Checks, before a person's decision is carried out, that the instance still points to the server that the decision was
 * about. Throws `other_server`. `unknown` = no server answers; the job that carries it out checks again.
 */
export async function assertSameServer(deletion: StoredDeletion): Promise<ServerVerdict | 'unknown'> {
  const was = deletion.server;
  const target = await openTarget(deletion.plan.instanceId);
  const is = await whoAnswers(deletion.plan.instanceId);
  if (is === null) {
    const here = registeredAs(target);
    if (!samePlace(was, here)) throw otherServer(was, here.endpoints.join(', '));
    return 'unknown';
  }
  const verdict = judgeServerIdentity(was, is);
  if (verdict === 'other') throw otherServer(was, placeOf(is));
  return verdict;
}

async function whoAnswers(instanceId: string): Promise<ServerIdentity | null> {
  try {
    return await identityOf(instanceId);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const otherServer = (was: ServerIdentity, is: string) =>
  new AppError(
    'other_server',
    `This is about ${placeOf(was)}, but another server answers now (${is}); nothing was sent there. Correct the address ` +
      'in the settings of the instance, or make a new plan.',
    { was: placeOf(was), is },
  );
