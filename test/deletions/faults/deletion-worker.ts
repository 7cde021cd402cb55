import { deletionKind } from '@/lib/deletions/deletion-kind';
import { createRunner } from '@/lib/jobs/loop/runner';

/** A process of its own that carries out deletions, for tests that kill it. */
const runner = createRunner({ kinds: [deletionKind as never], concurrency: 1, pollMs: 20, tickMs: 50 });
void runner.start();
process.stdout.write('ready\n');
