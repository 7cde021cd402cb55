import { seedLarge } from '../test/deletions/seed-large';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { startTcpProxy, type TcpProxy } from '../test/servers/tcp-proxy';
import { registerAndScan, type Scanned, test, waitForJob } from './fixtures';
import { judgeOpen, press } from './opened';
import { Stage } from './stage';

/**
 * There are so many elements, and the server is so slow, that a gentle deletion still runs when everything has been
 * checked.
 */
const ELEMENTS = 400_000;
const FAR_MS = 3;

test.describe
  .serial('axe finds nothing in what opens', () => {
    let stage: Stage;
    let redis: RedisServer;
    let proxy: TcpProxy;
    let shop: Scanned;
    const at = (place: string) => `${stage.origin}/instances/${shop.id}${place}`;

    test.beforeAll(async () => {
      test.setTimeout(300_000);
      [stage, redis] = await Promise.all([Stage.open(), startRedis()]);
      await redis.client().set('cart:small', 'x');
      await seedLarge(redis.client(), 'set', 'tags:all', ELEMENTS);
      proxy = await startTcpProxy(redis.port);
      shop = await registerAndScan(stage, {
        name: 'shop',
        topology: 'standalone',
        endpoints: [{ host: '127.0.0.1', port: proxy.port }],
        readOnly: false,
      });
    });
    test.afterAll(async () => {
      await Promise.all([stage.close(), proxy.close(), redis.stop()]);
    });

    /** Starts to delete a key with an archive at gentle speed. */
    async function start(name: string): Promise<{ id: string; jobId: string }> {
      const { plan } = await stage.ask<{ plan: { id: string; phrase: string; consents: string[] } }>(
        'POST',
        '/api/deletions/plans',
        {
          task: 'delete',
          instanceId: shop.id,
          selection: { by: 'keys', keys: [{ k: Buffer.from(name).toString('base64url'), db: 0 }] },
          options: { mode: 'archive', speed: 'gentle' },
        },
      );
      const { deletion } = await stage.ask<{ deletion: { job: { id: string } } }>('POST', '/api/deletions', {
        planId: plan.id,
        confirm: plan.phrase,
        consents: plan.consents,
      });
      return { id: plan.id, jobId: deletion.job.id };
    }

    test('once a deletion has ended: undo, its archive, a server that is lost', async ({ page }) => {
      const { id, jobId } = await start('cart:small');
      await waitForJob(stage, jobId, ['succeeded']);
      await judgeOpen(page, at(`/deletions/${id}`), {
        name: 'undo',
        of: 'deletions/run/undo-dialog',
        open: press('Undo all'),
      });
      await judgeOpen(page, at('/edit'), {
        name: 'giving up',
        of: 'instances/registration/remove-card',
        open: press('The server is permanently lost…'),
      });
      // On a production instance a reason is required to read values.
      await stage.ask('PATCH', `/api/instances/${shop.id}`, { production: true });
      await judgeOpen(page, at(`/deletions/${id}`), {
        name: 'download of an archive',
        of: 'deletions/run/download-archive',
        open: press('Download archive'),
      });
      await stage.ask('PATCH', `/api/instances/${shop.id}`, { production: false });
    });

    test('while one runs: the emergency stop, the running jobs, its own end', async ({ page }) => {
      proxy.spoil({ kind: 'late', ms: FAR_MS });
      const { id } = await start('tags:all');
      await judgeOpen(page, at(`/deletions/${id}`), {
        name: 'cancelling of a deletion',
        of: 'scans/job-controls',
        open: press('Cancel deletion'),
      });
      await judgeOpen(page, at(''), {
        name: 'emergency stop',
        of: 'layout/top-bar/emergency-stop-menu',
        open: press('Emergency stop'),
      });
      await judgeOpen(page, at(''), {
        name: 'running jobs',
        of: 'layout/top-bar/running-jobs-menu',
        open: press('1 job running'),
      });
      // This one is last: the button stops the deletion.
      await judgeOpen(page, at(`/deletions/${id}`), {
        name: 'stop of a deletion',
        of: 'deletions/run/stop-now-dialog',
        open: press('Stop now'),
      });
    });
  });
