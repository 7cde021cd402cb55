import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { JobContext, JobKind } from '@/lib/jobs/loop/job-kind';
import { getStoredJob } from '@/lib/store/jobs';
import { type Activity, monotonicMs } from './activity';

type Note = (what: Activity['what'], step?: number) => void;

/** A kind of job that reports each effect after it is committed. */
export interface NotingKind<Params, Checkpoint> extends Omit<JobKind<Params, Checkpoint>, 'run'> {
  run(context: JobContext<Params, Checkpoint> & { noteEffect(step: number): void }): Promise<'done' | 'stopped'>;
}

/**
 * Writes what this process works on to a separate file below `folder`, without using the database: the rows of the
 * database show who holds a job, this file shows who executes it. The lines survive a kill of the process.
 */
export function activityNotes(folder: string) {
  const file = openSync(join(folder, `${process.pid}.jsonl`), 'a');
  const findNote =
    (job: string, fence: number): Note =>
    (what, step) =>
      void writeSync(file, `${JSON.stringify({ job, fence, what, step, atMs: monotonicMs() })}\n`);

  return function noted<Params, Checkpoint>(kind: NotingKind<Params, Checkpoint>): JobKind<Params, Checkpoint> {
    return {
      ...kind,
      async run(context) {
        const { id } = context.job;
        // Read the lease while this process certainly owns it, before any work is done.
        const stored = await context.writeFenced((tx) => getStoredJob(id, tx));
        const note = findNote(id, stored?.lease.fence ?? 0);
        note('start');
        try {
          return await kind.run({
            ...context,
            noteEffect: (step) => note('effect', step),
            async saveCheckpoint(checkpoint) {
              await context.saveCheckpoint(checkpoint);
              note('checkpoint');
            },
          });
        } finally {
          note('end');
        }
      },
    };
  };
}
