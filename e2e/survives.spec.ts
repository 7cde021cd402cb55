import type { Page } from '@playwright/test';
import type { Job } from '../lib/model/job';
import type { OverviewReport } from '../lib/model/reports/reports';
import type { Instance } from '../lib/model/servers/instance';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { startTcpProxy, type TcpProxy } from '../test/servers/tcp-proxy';
import { expect, SERVER_AWAY, test, waitForJob } from './fixtures';
import { settled } from './settled';
import { Stage } from './stage';

/** The server is slow until the scan was interrupted, so that the interruption is in the middle on any machine. */
const KEYS = 20_000;
const FAR_MS = 3;

test.describe('a scan outlives its process', () => {
  test.describe.configure({ timeout: 300_000 });
  let redis: RedisServer;
  let proxy: TcpProxy;
  let stage: Stage;
  let instance: Instance;

  test.beforeAll(async () => {
    [redis, stage] = await Promise.all([
      startRedis({ args: ['--enable-debug-command', 'yes'] }),
      Stage.open({ COLONNADE_LOG: 'info' }),
    ]);
    await redis.client().call('DEBUG', 'POPULATE', String(KEYS), 'app:item', '32');
    proxy = await startTcpProxy(redis.port);
    const input = { name: 'survivor', topology: 'standalone', endpoints: [{ host: '127.0.0.1', port: proxy.port }] };
    ({ instance } = await stage.ask<{ instance: Instance }>('POST', '/api/instances', input));
  });
  test.afterAll(async () => {
    await Promise.all([stage.close(), proxy.close(), redis.stop()]);
  });

  /** Opens the page first, so that the page of the scan appears long before the scan ends. */
  async function warm(page: Page) {
    await page.goto(`${stage.origin}/jobs`);
    await settled(page);
  }

  async function startAndReachTheMiddle(): Promise<Job> {
    proxy.spoil({ kind: 'late', ms: FAR_MS });
    const path = `/api/instances/${instance.id}/scans`;
    const { job } = await stage.ask<{ job: Job }>('POST', path, { speed: 'gentle' });
    for (;;) {
      const { job: now } = await stage.ask<{ job: Job }>('GET', `/api/jobs/${job.id}`);
      const done = now.progress?.done ?? 0;
      expect(['queued', 'running', 'waiting'], 'the scan ended before it could be interrupted').toContain(now.state);
      if (done > KEYS / 100) return now;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  /** Starts the server again, without the delay of Redis. */
  async function startNearby(job: Job) {
    proxy.spoil({ kind: 'none' });
    await stage.start();
    await stage.ask('PATCH', `/api/jobs/${job.id}`, { speed: 'fast' });
  }

  async function expectWhole(job: Job) {
    expect(job.state).toBe('succeeded');
    const path = `/api/snapshots/${job.snapshotId}/reports/overview`;
    const { report } = await stage.ask<{ report: OverviewReport }>('GET', path);
    expect(report.keys).toBe(KEYS);
  }

  test('kill -9 in the middle: the next start finishes it', async ({ page, tolerate }) => {
    // The page loses its event stream and its requests while no server runs.
    tolerate(SERVER_AWAY);
    await warm(page);
    const job = await startAndReachTheMiddle();
    await page.goto(`${stage.origin}/jobs/${job.id}`);
    await expect(page.getByRole('main').getByText('Running').first()).toBeVisible();

    await stage.end('SIGKILL');
    await startNearby(job);

    const ended = await waitForJob(stage, job.id, ['succeeded', 'failed', 'cancelled', 'paused'], 180_000);
    await expectWhole(ended);
    await expect(page.getByRole('main').getByText('Done').first()).toBeVisible({ timeout: 60_000 });
  });

  test('SIGTERM with an open event stream: it ends at once, and the next start finishes', async ({
    page,
    tolerate,
  }) => {
    tolerate(SERVER_AWAY);
    await warm(page);
    const job = await startAndReachTheMiddle();
    await page.goto(`${stage.origin}/jobs/${job.id}`);
    await expect(page.getByRole('main').getByText('Running').first()).toBeVisible();

    // A stream that stays open would prevent the end.
    expect((await stage.end('SIGTERM')).code).toBe(0);
    await startNearby(job);
    await expectWhole(await waitForJob(stage, job.id, ['succeeded', 'failed', 'cancelled', 'paused'], 180_000));
  });
});
