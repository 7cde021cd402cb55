import { setTimeout as wait } from 'node:timers/promises';
import { ProgressLine } from '@/cli/output/progress-line';
import { safe } from '@/cli/units';
import { ENDED_STATES } from '@/lib/model/job-states';
import { JobAnswer, type ServerJob } from './answer-shapes';
import { keepAsking } from './keep-asking';
import type { ServerAccess } from './server-access';

/** A server that is upgraded, or a network that is away for a while: the job goes on without this command. */
const RETRY_FOR_MS = 15 * 60_000;
const EVERY_MS = 1000;

/** Until it has ended, however long that takes; a paused one too is waited for. */
export async function followJob(access: ServerAccess, begun: ServerJob): Promise<ServerJob> {
  const line = new ProgressLine(process.stderr);
  const say = (text: string) => {
    line.end();
    process.stderr.write(`colonnade: ${safe(text)}\n`);
  };
  try {
    let paused = false;
    for (let job = begun; ; ) {
      if (ENDED_STATES.includes(job.state)) return job;
      if (job.state === 'paused' && !paused) say('The scan is paused; waiting until a user resumes it.');
      paused = job.state === 'paused';
      const { progress, reason } = job;
      // A line of progress overwrites itself, whatever is in it.
      line.update({ reason, ...(progress !== null && { progress }) });
      await wait(EVERY_MS);
      const asked = keepAsking(access, { path: `/api/jobs/${begun.id}` }, JobAnswer, {
        forMs: RETRY_FOR_MS,
        onInterrupted: (why) => say(`The server ${why.replace(/^https?:\S+ /, '')}; trying again. The scan continues.`),
      });
      job = (await asked).job;
    }
  } finally {
    line.end();
  }
}
