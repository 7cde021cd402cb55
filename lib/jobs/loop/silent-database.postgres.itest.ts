import { afterEach, beforeEach, expect, it } from 'vitest';
import { createJob } from '@/lib/jobs/create-job';
import { pauseJob } from '@/lib/jobs/pause-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { closeStore } from '@/lib/store/open-store';
import { recordStatements } from '@/test/record-statements';
import { startTcpProxy, type TcpProxy } from '@/test/servers/tcp-proxy';
import { temporaryData } from '@/test/temporary-data';
import { keepPresence } from './keep-presence';
import { createRunner, type Runner } from './runner';

/** A primary or a firewall has vanished silently: connections stay open, and no query is answered. */
let data: ReturnType<typeof temporaryData>;
let proxy: TcpProxy;
let stops: { stop(): Promise<void> }[] = [];
beforeEach(async () => {
  data = temporaryData();
  const url = new URL(process.env.COLONNADE_DATABASE_URL as string);
  proxy = await startTcpProxy(Number(url.port));
  url.port = String(proxy.port);
  process.env.COLONNADE_DATABASE_URL = url.href;
  stops = [];
});
afterEach(async () => {
  // Closing the proxy ends all queries that wait for an answer.
  await proxy.close();
  await Promise.all(stops.map((one) => one.stop()));
  await closeStore();
  await data.remove();
});
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('a run ends with its lease, and what a person asks fails instead of hanging', async () => {
  let begun = 0;
  let aborted = 0;
  const runner: Runner = createRunner({
    kinds: [
      {
        kind: 'toy',
        async run({ signal }) {
          begun += 1;
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          aborted += 1;
          return 'stopped';
        },
      },
    ],
    concurrency: 1,
    pollMs: 50,
    tickMs: 50,
    leaseMs: 2000,
  });
  stops.push(runner);
  await runner.start();
  const toy = { kind: 'toy', instanceId: null, instanceName: null, speed: 'gentle', params: null } as const;
  const { id } = await createJob(LOCAL_ADMIN, toy);
  await expect.poll(() => begun).toBe(1);
  proxy.spoil({ kind: 'silent' });
  await expect.poll(() => aborted, { timeout: 60_000 }).toBe(1);
  await expect(pauseJob(LOCAL_ADMIN, id)).rejects.toMatchObject({ code: 'database_unreachable' });
  // The silent connections are not used again.
  proxy.spoil({ kind: 'none' });
  await expect.poll(() => pauseJob(LOCAL_ADMIN, id).catch(() => null), { timeout: 60_000 }).toMatchObject({ id });
});

it('a sign of life waits for the one before', async () => {
  const self = {
    id: 'a',
    role: 'worker',
    labels: [],
    version: '1',
    keyId: 'k',
    jobs: 1,
  } as const;
  stops.push(await keepPresence({ ...self, labels: [] }, 20));
  proxy.spoil({ kind: 'silent' });
  await sleep(500);
  expect(await recordStatements(() => sleep(1000))).toEqual([]);
});
