import { expect, test } from '@playwright/test';
import type { Health } from '../lib/jobs/health';
import type { Job } from '../lib/model/job';
import type { Instance } from '../lib/model/servers/instance';
import { until } from '../test/servers/process';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { startTcpProxy, type TcpProxy } from '../test/servers/tcp-proxy';
import { waitForJob } from './fixtures';
import { Stage } from './stage';

/** The parent and its two programs are ended as an operator or an accident would. */
const KEYS = 20_000;
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
  const input = { name: 'two', topology: 'standalone', endpoints: [{ host: '127.0.0.1', port: proxy.port }] };
  ({ instance } = await stage.ask<{ instance: Instance }>('POST', '/api/instances', input));
  await until('the worker', async () => (await health()).engine.ok);
});
test.afterAll(async () => {
  await Promise.all([stage?.close(), proxy?.close(), redis?.stop()]);
});

async function health(): Promise<Health> {
  return (await stage.send('GET', '/api/health?deep=1')).json() as Promise<Health>;
}
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const readJob = async (id: string) => (await stage.ask<{ job: Job }>('GET', `/api/jobs/${id}`)).job;

test('a worker that is killed is started again, and its job goes on; pages wait for neither', async () => {
  proxy.spoil({ kind: 'late', ms: 3 });
  const path = `/api/instances/${instance.id}/scans`;
  const { job } = await stage.ask<{ job: Job }>('POST', path, { speed: 'gentle' });
  await until('the middle of the scan', async () => ((await readJob(job.id)).progress?.done ?? 0) > KEYS / 100);
  const [worker] = stage.programs.workers;
  process.kill(worker!, 'SIGKILL');
  await until('its death to show', async () => !(await health()).ok, 10_000);
  expect((await stage.send('GET', '/')).status).toBe(200);
  proxy.spoil({ kind: 'none' });
  const ended = await waitForJob(stage, job.id, ['succeeded', 'failed', 'cancelled', 'paused'], 180_000);
  expect(ended.state).toBe('succeeded');
  expect(stage.programs.workers).not.toEqual([worker]);
  await until('the new worker', async () => (await health()).ok);
  for (const line of stage.output.split('\n').filter((one) => one.startsWith('{"level"')))
    expect(JSON.parse(line).program).toMatch(/^(web|worker)$/);
});

test('a web program that is killed is started again beside the same worker', async () => {
  const { web, workers } = stage.programs;
  process.kill(web, 'SIGKILL');
  await until('the pages', async () => (await stage.send('GET', '/api/health')).ok && stage.programs.web !== web);
  expect(stage.programs.workers).toEqual(workers);
});

test('both end with their parent: on a signal with one exit code, and also when it is killed', async () => {
  const first = stage.programs;
  expect((await stage.end('SIGTERM')).code).toBe(0);
  expect([first.web, ...first.workers].filter(isAlive)).toEqual([]);
  await stage.start();
  await until('the worker', async () => (await health()).engine.ok);
  const { web, workers } = stage.programs;
  process.kill(stage.parent, 'SIGKILL');
  await until('both to end', async () => ![web, ...workers].some(isAlive));
});
