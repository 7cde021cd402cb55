import { appendFileSync } from 'node:fs';
import type { JobKind } from '@/lib/jobs/loop/job-kind';
import { createRunner } from '@/lib/jobs/loop/runner';

/**
 * A separate process that runs jobs of the kind `count`, for tests that kill it. Each step is appended to the file that
 * the job names before the checkpoint is written, so a kill may repeat a step but never lose one. A checkpoint that the
 * store refused is recorded in `<file>.refused`.
 */
export const count: JobKind<{ to: number; file: string; stepMs: number }, { at: number }> = {
  kind: 'count',
  async run(context) {
    const { to, file, stepMs } = context.params;
    for (let at = context.checkpoint?.at ?? 0; at < to; ) {
      if (context.getStopRequest()) return 'stopped';
      at += 1;
      appendFileSync(file, `${process.pid} ${at}\n`);
      await context.saveCheckpoint({ at }).catch((error) => {
        appendFileSync(`${file}.refused`, `${process.pid} ${at}\n`);
        throw error;
      });
      await new Promise((resolve) => setTimeout(resolve, stepMs));
    }
    return 'done';
  },
};

if (process.argv[2] === 'work') {
  const runner = createRunner({ kinds: [count], concurrency: 2, pollMs: 20, tickMs: 50 });
  void runner.start();
  process.on('SIGTERM', () => void runner.stop().then(() => process.exit(0)));
  process.stdout.write('ready\n');
}
