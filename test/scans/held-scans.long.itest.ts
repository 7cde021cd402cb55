import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRunner, type Runner } from '@/lib/jobs/loop/runner';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { scanKind } from '@/lib/scans/scan-kind';
import { startScan } from '@/lib/scans/start-scan';
import { register } from '../jobs/fleet';
import { until } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { startReplica } from '../servers/replica';
import { temporaryData } from '../temporary-data';

/** Scans that the state of their servers holds do not keep the scan of another server from running. */
const PLACES = 4;
let data: ReturnType<typeof temporaryData>;
let runner: Runner;
const servers: RedisServer[] = [];
beforeEach(() => {
  data = temporaryData();
});
afterEach(async () => {
  await runner.stop();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await data.remove();
});

async function startServer(keys: number): Promise<RedisServer> {
  const server = await startRedis({ args: ['--enable-debug-command', 'yes', '--repl-ping-replica-period', '1'] });
  servers.push(server);
  await server.client().call('DEBUG', 'POPULATE', String(keys));
  return server;
}
const begin = async (name: string, server: RedisServer) =>
  (await startScan(LOCAL_ADMIN, (await register(name, server)).id, ScanOptions.parse({}))).id;
const find = (id: string) => getJob(LOCAL_ADMIN, id);

it('four scans that lagging replicas hold, and one of a healthy server', async () => {
  const replicas: RedisServer[] = [];
  const held: RedisServer[] = [];
  for (let i = 0; i < PLACES; i++) {
    const master = await startServer(50_000);
    const replica = await startReplica(master);
    replicas.push(replica);
    held.push(master);
    servers.push(replica);
  }
  const healthy = await startServer(1_000);
  runner = createRunner({ kinds: [scanKind as never], concurrency: PLACES, tickMs: 100, pollMs: 50 });
  await runner.start();
  await Promise.all(replicas.map((replica) => replica.kill('SIGSTOP')));
  for (const master of held)
    await until('the lag to show', async () => /,lag=[2-9]/.test(await master.client().info('replication')), 60_000);
  const waiting = await Promise.all(held.map((server, i) => begin(`held ${i}`, server)));
  for (const id of waiting)
    await until('it to be held', async () => (await find(id)).reason?.code === 'replica_lag', 60_000);
  const last = await begin('healthy', healthy);
  await until('the healthy one to end', async () => (await find(last)).state === 'succeeded', 60_000);
  for (const id of waiting) expect(await find(id)).toMatchObject({ state: 'waiting', reason: { code: 'replica_lag' } });
  await Promise.all(replicas.map((replica) => replica.kill('SIGCONT')));
  for (const id of waiting) await until('it to end', async () => (await find(id)).state === 'succeeded', 120_000);
});
