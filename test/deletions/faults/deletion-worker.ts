import { deletionKind } from '@/lib/deletions/deletion-kind';
import { createRunner } from '@/lib/jobs/loop/runner';
import { LATENCY_LIMITS } from '@/lib/redis/throttle/latency-probe';
import { config } from '@/lib/runtime/config';
import { listenToJobs } from '@/lib/store/engines/listen-to-jobs';

/** A separate process that carries out deletions, for tests that kill it. It ends with the process that started it. */
Object.assign(LATENCY_LIMITS, JSON.parse(process.argv[2] ?? '{}'));
const hears = config.databaseUrl === null ? { pollMs: 20 } : { listen: listenToJobs, pollMs: 2_000 };
const runner = createRunner({ kinds: [deletionKind as never], concurrency: 1, tickMs: 50, ...hears });
process.stdin.resume().once('end', () => process.exit());
process.once('SIGTERM', () => void runner.stop().then(() => process.exit()));
// By then it has read the store once, like a worker that has been running for a while.
void runner.start().then(() => process.stdout.write('ready\n'));
