import { deletionKind } from '@/lib/deletions/deletion-kind';
import { createRunner } from '@/lib/jobs/loop/runner';
import { LATENCY_LIMITS } from '@/lib/redis/throttle/latency-probe';

/**
 * A separate process that carries out deletions. After the word `stall` on its input the store does not answer it, so
 * it does not notice what happens to its lease, until `go on`.
 */
Object.assign(LATENCY_LIMITS, JSON.parse(process.argv[2] ?? '{}'));
let stalled = Promise.resolve();
let goOn = () => {};
const kind: typeof deletionKind = {
  ...deletionKind,
  run: (context) =>
    deletionKind.run({
      ...context,
      job: context.job,
      async writeFenced(act) {
        await stalled;
        return context.writeFenced(act);
      },
      async writeFencedLocked(act) {
        await stalled;
        return context.writeFencedLocked(act);
      },
    }),
};
const runner = createRunner({ kinds: [kind as never], concurrency: 1, tickMs: 60_000, pollMs: 20 });
process.stdin.on('data', (text) => {
  const word = String(text).trim();
  if (word === 'go on') goOn();
  else
    stalled = new Promise((resolve) => {
      goOn = resolve;
    });
  process.stdout.write(`${word}\n`);
});
process.stdin.once('end', () => process.exit());
process.once('SIGTERM', () => void runner.stop().then(() => process.exit()));
void runner.start().then(() => process.stdout.write('ready\n'));
