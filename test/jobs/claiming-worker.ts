import { appendFileSync, existsSync } from 'node:fs';
import { recordAudit } from '@/lib/access/audit/record';
import { claimJobs } from '@/lib/jobs/loop/claim-jobs';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { closeStore, runTransaction } from '@/lib/store/open-store';

/**
 * A separate process that claims whatever is queued, four jobs at a time, writes each id to a file and audits it. It
 * begins as soon as `<file>.go` exists, so that several processes begin at once, however long each takes to start.
 */
const file = String(process.argv[2]);
process.stdout.write('ready\n');
while (!existsSync(`${file}.go`)) await new Promise((resolve) => setTimeout(resolve, 5));
const claim = async () => {
  for (let idle = 0; idle < 5; ) {
    const owner = `somewhere/${process.pid}/x/y`;
    const [stored] = await claimJobs({
      kinds: ['toy'],
      processId: owner,
      leaseMs: 30_000,
      limits: { labels: [] },
      maxJobs: 1,
    });
    if (stored === undefined) {
      idle += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    appendFileSync(file, `${stored.job.id} ${stored.lease.fence} ${process.pid}\n`);
    await runTransaction((tx) =>
      recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.claim', subject: stored.job.id, details: {} }),
    );
  }
};
await Promise.all([claim(), claim(), claim(), claim()]);
await closeStore();
