import { deletionKind } from '../../lib/deletions/deletion-kind';
import { createRunner } from '../../lib/jobs/loop/runner';
import { killWorker, startWorker } from '../deletions/faults/worker-process';
import { LONG } from '../long-form.mjs';

/** The worker that continues in a data folder. */
export interface NextWorker {
  end(): Promise<void>;
}

/**
 * Starts a runner that reads the store like a new process, for tests that do not kill it in the middle of its work.
 * LONG=1: it is a separate process, and is killed.
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
