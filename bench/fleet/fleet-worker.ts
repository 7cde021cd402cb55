import { getVaultKeys } from '@/lib/access/vault/vault-key';
import { assertSameFolder } from '@/lib/jobs/assert-same-folder';
import { keepPresence } from '@/lib/jobs/loop/keep-presence';
import { createProcessId } from '@/lib/jobs/loop/process-id';
import { createRunner } from '@/lib/jobs/loop/runner';
import { lowerWorkerPriority } from '@/lib/jobs/lower-worker-priority';
import { config } from '@/lib/runtime/config';
import { scanKind } from '@/lib/scans/scan-kind';
import { listenToJobs } from '@/lib/store/engines/listen-to-jobs';
import { version } from '../../package.json';
import { activityNotes } from './activity-notes';
import { shortKind } from './short-kind';

/**
 * Runs what `colonnade worker` and the embedded default run (lib/engine.ts), with scans and one more kind; the bench
 * kills this process. Like them it announces itself, because the number of workers decides how much each one takes. It
 * writes its activity to the given folder.
 */
if (config.role === 'worker') lowerWorkerPriority();
const noted = activityNotes(process.argv[2] ?? '.');
const owner = createProcessId();
const { role, workerLabels: labels, jobConcurrency: jobs } = config;
const shared = config.databaseUrl !== null;
await assertSameFolder();
const presence = shared
  ? await keepPresence({ id: owner, role, labels, jobs, version, keyId: getVaultKeys().kid })
  : { stop: async () => {} };
const runner = createRunner({
  kinds: [noted(scanKind), noted(shortKind)],
  concurrency: jobs,
  processId: owner,
  limits: { labels },
  ...(shared && { listen: listenToJobs, pollMs: 2_000 }),
});
setInterval(() => {}, 60_000);
await runner.start();
const leave = async () => {
  await runner.stop();
  await presence.stop();
  process.exit(0);
};
process.on('SIGTERM', () => void leave());
process.stdout.write('ready\n');
