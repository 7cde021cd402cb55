import { readDestinationPolicy } from '@/lib/access/credentials/destination-policy';
import { openTarget } from '@/lib/access/credentials/open-target';
import { NeedsOperator, TransientFailure } from '@/lib/deletions/executor/run-errors';
import {
  EMPTY_CHECKPOINT,
  type LeftoversCheckpoint,
  type LeftoversParams,
} from '@/lib/deletions/run/leftovers-checkpoint';
import { searchLeftovers } from '@/lib/deletions/run/search-leftovers';
import { JobBlocked, type JobContext, type JobKind } from '@/lib/jobs/loop/job-kind';
import { AppError } from '@/lib/model/errors';
import { WriteFailure } from '@/lib/redis/write/write-failure';

/**
 * The search for internal keys as a job: an instance has one at a time. It is throttled, stopped and continued like a
 * scan.
 */
export const leftoversKind: JobKind<LeftoversParams, LeftoversCheckpoint> = {
  kind: 'leftovers',
  keepsCheckpoint: true,

  async run(context) {
    try {
      return await search(context);
    } catch (error) {
      if (error instanceof NeedsOperator || error instanceof TransientFailure) throw new JobBlocked(error.reason);
      if (error instanceof WriteFailure)
        throw new JobBlocked({ code: 'connection_lost', params: { code: error.code, message: error.message } });
      throw error;
    }
  },

  /** What was found so far stays readable, and a failed search continues from there. */
  discard: async () => 'kept',
};

async function search(context: JobContext<LeftoversParams, LeftoversCheckpoint>): Promise<'done' | 'stopped'> {
  const { job } = context;
  if (job.instanceId === null) throw new AppError('not_found', 'The search names no instance.');
  return searchLeftovers({
    target: await openTarget(job.instanceId),
    policy: readDestinationPolicy(job.instanceId),
    checkpoint: structuredClone(context.checkpoint ?? EMPTY_CHECKPOINT),
    save: (state) => context.saveCheckpoint(state),
    byAdministrator: context.params.byAdministrator,
    hooks: {
      ...context,
      retryForMs: 0,
      // The search writes nothing, so the emergency stop does not end it.
      findRefusal: () => null,
    },
  });
}
