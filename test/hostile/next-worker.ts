import { deletionKind } from '../../lib/deletions/deletion-kind';
import { createRunner } from '../../lib/jobs/loop/runner';
import { killWorker, startWorker } from '../deletions/faults/worker-process';
import { LONG } from '../long-form.mjs';

/** Whoever carries on in a data folder. */
export interface NextWorker {
  end(): Promise<void>;
}

/**
 * Starts a runner that looks at the store as a new process does; for those that nothing strikes in the middle of their
 * work. LONG=1: each is a process of its own, and is killed.
 */
export async function startNext(folder: string): Promise<NextWorker> {
  if (LONG) {
    const child = await startWorker(folder);
    return { end: () => killWorker(child) };
  }
  const runner = createRunner({ kinds: [deletionKind as never], concurrency: 1, tickMs: 50, pollMs: 20 });
  await runner.start();
  return { end: () => runner.stop() };
}
