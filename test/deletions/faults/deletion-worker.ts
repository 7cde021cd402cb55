import { config } from '@/lib/config';
import { deletionKind } from '@/lib/deletions/deletion-kind';
import { createRunner } from '@/lib/jobs/loop/runner';
import { LATENCY_LIMITS } from '@/lib/redis/throttle/latency-probe';
import { listenToJobs } from '@/lib/store/engines/listen-to-jobs';

/** A process of its own that carries out deletions, for tests that kill it; gone with whoever started it. */
Object.assign(LATENCY_LIMITS, JSON.parse(process.argv[2] ?? '{}'));
const hears = config.databaseUrl === null ? { pollMs: 20 } : { listen: listenToJobs, pollMs: 2_000 };
const runner = createRunner({ kinds: [deletionKind as never], concurrency: 1, tickMs: 50, ...hears });
process.stdin.resume().once('end', () => process.exit());
process.once('SIGTERM', () => void runner.stop().then(() => process.exit()));
// It has looked at the store by then, as a worker that has been there for a while.
void runner.start().then(() => process.stdout.write('ready\n'));
