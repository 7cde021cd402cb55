import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { JobContext, JobKind } from '@/lib/jobs/loop/kind';
import { getStoredJob } from '@/lib/store/jobs';
import { type Activity, monotonicMs } from './activity';

type Note = (what: Activity['what'], step?: number) => void;

/** A kind that says what it does, when it stands. */
export interface NotingKind<Params, Checkpoint> extends Omit<JobKind<Params, Checkpoint>, 'run'> {
  run(context: JobContext<Params, Checkpoint> & { noteEffect(step: number): void }): Promise<'done' | 'stopped'>;
}

/**
 * Notes what this process works on in a file of its own below `folder`, which is appended to and asked of nobody: the
 * rows of the database say who holds a job, this says who does it. What was written is there when the process is
 * killed.
 */
export function activityNotes(folder: string) {
  const file = openSync(join(folder, `${process.pid}.jsonl`), 'a');
  const noteOf =
    (job: string, fence: number): Note =>
    (what, step) =>
      void writeSync(file, `${JSON.stringify({ job, fence, what, step, atMs: monotonicMs() })}\n`);

  return function noted<Params, Checkpoint>(kind: NotingKind<Params, Checkpoint>): JobKind<Params, Checkpoint> {
    return {
      ...kind,
      async run(context) {
        const { id } = context.job;
        // Asked while the lease is certainly its own, and before anything is done.
        const stored = await context.fenced((tx) => getStoredJob(id, tx));
        const note = noteOf(id, stored?.lease.fence ?? 0);
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
