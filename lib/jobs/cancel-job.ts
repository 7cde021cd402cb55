import { recordAudit } from '@/lib/audit/record';
import { requireRole } from '@/lib/audit/require-role';
import { storedJobOrThrow } from '@/lib/jobs/statuses/get-job';
import { assertTransition, HELD_STATES } from '@/lib/jobs/statuses/transition';
import type { Actor } from '@/lib/model/actor';
import type { Job } from '@/lib/model/job';
import { updateJob } from '@/lib/store/jobs';
import { type Tx, transaction } from '@/lib/store/open-store';

/** Asks a running job to stop for good; one that nobody runs is cancelled at once. The engine removes what it left. */
export async function cancelJob(actor: Actor, id: string, outer?: Tx): Promise<Job> {
  const entry = { action: 'job.cancel', subject: id };
  await requireRole(actor, 'operator', entry, outer);
  return transaction(async (tx) => {
    const { job } = await storedJobOrThrow(id, tx);
    if (job.state === 'cancelling' || job.state === 'cancelled') return job;
    const held = HELD_STATES.includes(job.state);
    assertTransition(id, job.state, held ? 'cancelling' : 'cancelled');
    await recordAudit(tx, { ...entry, actor, instanceId: job.instanceId, details: { from: job.state } });
    if (held) await updateJob(id, { state: 'cancelling' }, tx);
    else await updateJob(id, { state: 'cancelled', endedAt: Date.now(), reason: null, discardPending: true }, tx);
    return (await storedJobOrThrow(id, tx)).job;
  }, outer);
}
