import { config } from '@/lib/config';
import { newOwner } from '@/lib/jobs/loop/owner';
import { createRunner } from '@/lib/jobs/loop/runner';
import { scanKind } from '@/lib/scans/scan-kind';
import { listenToJobs } from '@/lib/store/engines/listen-to-jobs';
import { shortKind } from './short-kind';

/** What `colonnade worker` runs (lib/engine.ts), with scans and one kind more; a process that the bench kills. */
const owner = newOwner();
const runner = createRunner({
  kinds: [scanKind, shortKind],
  concurrency: config.jobConcurrency,
  owner,
  limits: { labels: [], atOnce: null },
  listen: listenToJobs,
  pollMs: 2_000,
});
setInterval(() => {}, 60_000);
await runner.start();
process.on('SIGTERM', () => void runner.stop().then(() => process.exit(0)));
process.stdout.write('ready\n');
