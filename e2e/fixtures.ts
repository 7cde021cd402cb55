import { test as base, expect, type Page } from '@playwright/test';
import type { Job } from '../lib/model/job';
import type { Instance } from '../lib/model/servers/instance';
import { seedCluster, seedStandalone } from '../scripts/seed/seed.mjs';
import { type RedisCluster, startCluster } from '../test/servers/cluster';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { Stage } from './stage';

/** A scanned instance. */
export interface Scanned {
  id: string;
  name: string;
  snapshotId: string;
}

export interface Shared {
  stage: Stage;
  redis: RedisServer;
  cluster: RedisCluster;
  mall: Scanned;
  social: Scanned;
  /** A plan for mall's carts that was not confirmed. */
  planId: string;
}

export const PASSWORD = 'correct horse battery staple';

/**
 * Messages that an open page logs to the console while its server is down: requests and the event stream fail, and a
 * script that was being loaded does not arrive.
 */
export const SERVER_AWAY = /net::ERR_|ChunkLoadError|load(ing)? chunk/i;

export async function waitForJob(stage: Stage, id: string, states: Job['state'][], withinMs = 90_000): Promise<Job> {
  const end = Date.now() + withinMs;
  for (;;) {
    const { job } = await stage.ask<{ job: Job }>('GET', `/api/jobs/${id}`);
    if (states.includes(job.state)) return job;
    if (Date.now() > end) throw new Error(`The job is still ${job.state}: ${JSON.stringify(job)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export async function registerAndScan(stage: Stage, input: object, withinMs?: number): Promise<Scanned> {
  const { instance } = await stage.ask<{ instance: Instance }>('POST', '/api/instances', input);
  const path = `/api/instances/${instance.id}/scans`;
  const { job } = await stage.ask<{ job: Job }>('POST', path, { speed: 'fast' });
  const ended = await waitForJob(stage, job.id, ['succeeded', 'failed', 'cancelled', 'paused'], withinMs);
  if (ended.state !== 'succeeded') throw new Error(`The scan ended as ${ended.state}: ${JSON.stringify(ended)}`);
  return { id: instance.id, name: instance.name, snapshotId: ended.snapshotId as string };
}

/**
 * `shared`: one production server with a scanned standalone and a scanned cluster, shared by the specs that only read.
 * `page`: fails the test on any console error, uncaught exception or request to another host. Errors that a spec causes
 * on purpose (a wrong password is an HTTP error) are allowed with `tolerate`.
 */
export const test = base.extend<{ tolerate: (pattern: RegExp) => void; tolerated: RegExp[] }, { shared: Shared }>({
  shared: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter list
    async ({}, use) => {
      const [stage, redis, cluster] = await Promise.all([
        Stage.open(),
        startRedis({ password: PASSWORD }),
        startCluster(),
      ]);
      const client = redis.client();
      // The seeder uses no password: it is set again when everything is written.
      await client.config('SET', 'requirepass', '');
      await seedStandalone(redis.port, { keys: 12_000 });
      await client.config('SET', 'requirepass', PASSWORD);
      const scanMall = registerAndScan(stage, {
        name: 'mall',
        topology: 'standalone',
        endpoints: [{ host: '127.0.0.1', port: redis.port }],
        secrets: { password: PASSWORD },
        environment: 'staging',
        tags: ['shop'],
      });
      await seedCluster(
        cluster.masters.map((node) => node.port),
        { keys: 6000 },
      );
      const scanSocial = registerAndScan(stage, {
        name: 'social',
        topology: 'cluster',
        endpoints: [{ host: '127.0.0.1', port: cluster.masters[0]?.port }],
        destinations: cluster.masters.map(({ host, port }) => `${host}:${port}`),
        environment: 'production',
        production: true,
      });
      const [mall, social] = await Promise.all([scanMall, scanSocial]);
      const { plan } = await stage.ask<{ plan: { id: string } }>('POST', '/api/deletions/plans', {
        task: 'delete',
        instanceId: mall.id,
        selection: { by: 'filter', snapshotId: mall.snapshotId, filter: { prefix: 'mall:' } },
        options: { mode: 'unlink' },
      });
      await use({ stage, redis, cluster, mall, social, planId: plan.id });
      await Promise.all([stage.close(), redis.stop(), cluster.stop()]);
    },
    { scope: 'worker', timeout: 360_000 },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter list
  tolerated: async ({}, use) => {
    await use([]);
  },

  tolerate: async ({ tolerated }, use) => {
    await use((pattern) => tolerated.push(pattern));
  },

  page: async ({ page, tolerated }, use, info) => {
    const troubles: string[] = [];
    listen(page, troubles);
    await use(page);
    const unexpected = troubles.filter((trouble) => !tolerated.some((pattern) => pattern.test(trouble)));
    if (unexpected.length > 0 || info.status !== info.expectedStatus) process.stdout.write(`${Stage.errors()}\n`);
    expect(unexpected, 'console errors, exceptions, foreign requests, dialogs').toEqual([]);
  },
});

function listen(page: Page, troubles: string[]) {
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') troubles.push(`request to ${hostname}`);
  });
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}

export { expect } from '@playwright/test';
