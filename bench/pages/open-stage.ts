import { registerAndScan, waitForJob } from '../../e2e/fixtures';
import { Stage } from '../../e2e/stage';
import type { RedisServer } from '../../test/servers/redis';
import type { Subjects } from './pages-to-visit';

/** Time limit of the scan of a million keys on a busy machine; the scan is not what is measured here. */
const SCAN_WITHIN_MS = 15 * 60_000;
/** This key is deleted before the first visit, so that there is a deletion to show. */
const DROPPED = 'bench:dropped';

/**
 * Starts a server with a ready snapshot, a plan, a finished deletion and finished jobs. `server` is the build to use;
 * each build scans the keys itself, so that builds with different stores can be compared.
 */
export async function openStage(redis: RedisServer, server?: string): Promise<{ stage: Stage; subjects: Subjects }> {
  await redis.client().set(DROPPED, 'x');
  const stage = await Stage.open({}, server);
  const instance = await registerAndScan(
    stage,
    {
      name: 'mall',
      topology: 'standalone',
      endpoints: [{ host: '127.0.0.1', port: redis.port }],
      readOnly: false,
    },
    SCAN_WITHIN_MS,
  );
  const { jobs } = await stage.ask<{ jobs: { id: string; kind: string }[] }>(
    'GET',
    `/api/jobs?instanceId=${instance.id}`,
  );
  const plan = async (prefix: string) => {
    const request = {
      task: 'delete',
      instanceId: instance.id,
      selection: { by: 'filter', snapshotId: instance.snapshotId, filter: { prefix } },
      options: { mode: 'unlink' },
    };
    const made = await stage.ask<{ plan: { id: string; phrase: string; consents: string[] } }>(
      'POST',
      '/api/deletions/plans',
      request,
    );
    return made.plan;
  };
  const deletions = async () => {
    const { id: deletionId, phrase, consents } = await plan(DROPPED);
    const { deletion } = await stage.ask<{ deletion: { job: { id: string } } }>('POST', '/api/deletions', {
      planId: deletionId,
      confirm: phrase,
      consents,
    });
    const ended = await waitForJob(stage, deletion.job.id, ['succeeded', 'failed', 'cancelled']);
    if (ended.state !== 'succeeded') throw new Error(`The deletion ended as ${ended.state}: ${JSON.stringify(ended)}`);
    const { id: planId } = await plan('mall:index:');
    return { planId, deletionId };
  };
  const made = await deletions().catch((error: unknown) => {
    // An older build may be unable to do this: its other pages are compared.
    if (server === undefined) throw error;
    process.stderr.write(`not measured before: deletions: ${String(error)}\n`);
    return {};
  });
  await untilReady(stage, instance.snapshotId);
  const scan = jobs.find(({ kind }) => kind === 'scan');
  if (!scan) throw new Error('The job of the scan is not listed.');
  return { stage, subjects: { instanceId: instance.id, jobId: scan.id, ...made } };
}

/** Pages are visited after everything they need is computed, as on most days. */
async function untilReady(stage: Stage, snapshotId: string): Promise<void> {
  for (let preparing: unknown = true; preparing; )
    ({ preparing } = await stage.ask<{ preparing?: unknown }>('GET', `/api/snapshots/${snapshotId}/reports/overview`));
}
