import type { JobKind } from '@/lib/jobs/loop/job-kind';
import { createRunner } from '@/lib/jobs/loop/runner';

/**
 * A separate process that runs jobs of the kind `deadly`: each job ends the process when it reaches the step that the
 * job names, and each retry starts from there.
 */
const deadly: JobKind<{ at: number }, { at: number }> = {
  kind: 'deadly',
  async run(context) {
    for (let at = context.checkpoint?.at ?? 0; at < context.params.at; ) await context.saveCheckpoint({ at: ++at });
    process.exit(1);
  },
};

void createRunner({ kinds: [deadly], concurrency: 1, pollMs: 20, tickMs: 50 }).start();
