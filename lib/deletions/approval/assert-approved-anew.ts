import { JobBlocked, type JobContext } from '@/lib/jobs/loop/kind';
import { getStoredDeletion, updateDeletion } from '@/lib/store/deletions/deletions';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { findSecondPerson } from './assert-approved';

/**
 * Before a job takes something away: what a second person approved was the server of then. Where another was accepted
 * since and the instance asks for one, the job waits until somebody has approved that too. Who did is noted as it
 * begins: an approval ends after a day, a deletion that was begun goes on after any crash.
 */
export async function assertApprovedAnew(
  { fencedAlone }: Pick<JobContext<unknown, unknown>, 'fencedAlone'>,
  id: string,
): Promise<void> {
  const waits = await fencedAlone(async (tx) => {
    const stored = await getStoredDeletion(id, tx);
    const accepted = stored?.plan.accepted;
    if (!stored || !accepted || accepted.approvedBy !== undefined) return false;
    const instance = await getProtectedInstance(stored.plan.instanceId, tx);
    if (!instance?.settings.secondPerson) return false;
    const second = await findSecondPerson(stored, instance, tx);
    if (second)
      await updateDeletion(id, { plan: { ...stored.plan, accepted: { ...accepted, approvedBy: second.name } } }, tx);
    return second === null;
  });
  if (waits) throw new JobBlocked({ code: 'approval_needed', params: {} });
}
