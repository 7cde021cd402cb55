import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { listItemsPage } from '../../lib/deletions/list-items';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { ItemQuery } from '../../lib/model/deletions/deletion-item';
import { PlanRequest } from '../../lib/model/deletions/plan-request';
import { encodeKey } from '../../lib/model/keys/key-id';
import { getInstanceRow, updateInstanceRow } from '../../lib/store/instances';
import { type RedisServer, type ServerOptions, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { WITH_DIGEST } from './digest';
import { type FaultProxy, startFaultProxy } from './faults/fault-proxy';
import { openApart } from './faults/open-apart';
import { openStand, type Stand } from './stand';

export interface StandOfTest {
  client: Redis;
  data: ReturnType<typeof temporaryData>;
  stand: Stand;
}

/** Starts one server per file; each of its tests gets an empty keyspace, a data folder and a separate stand. */
export function standPerTest(): StandOfTest {
  const on = {} as StandOfTest;
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis({ args: WITH_DIGEST });
    on.client = redis.client();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    on.data = temporaryData();
    await on.client.flushall();
    on.stand = await openApart(redis);
  });
  afterEach(async () => {
    await on.stand.close();
    await on.data.remove();
  });
  return on;
}

export interface StandWithProxy extends StandOfTest {
  redis: RedisServer;
  /** The way from the stand to the server; it can fail. */
  proxy: FaultProxy;
}

/**
 * Starts one server per file; each of its tests gets an empty keyspace, a data folder, and a stand that reaches the
 * server through a proxy. `runs` = false: the stand runs no jobs, because processes of the test do.
 */
export function standWithProxy({ runs = true, ...server }: ServerOptions & { runs?: boolean } = {}): StandWithProxy {
  const on = {} as StandWithProxy;
  beforeAll(async () => {
    on.redis = await startRedis(server);
    on.client = on.redis.client();
  });
  afterAll(() => on.redis.stop());
  beforeEach(async () => {
    on.data = temporaryData();
    await on.client.flushall();
    on.proxy = await startFaultProxy(on.redis.port);
    on.stand = await openStand({ ...on.redis, port: on.proxy.port } as RedisServer, {}, runs);
  });
  afterEach(async () => {
    await on.stand.close();
    await on.proxy.stop();
    await on.data.remove();
  });
  return on;
}

/** From now on the stand reaches the server through a proxy that can fail. */
export async function breakableLine({ client, stand }: StandOfTest): Promise<FaultProxy> {
  const proxy = await startFaultProxy(client.options.port ?? 0);
  onTestFinished(() => proxy.stop());
  const row = (await getInstanceRow(stand.instanceId))!;
  const endpoints = [{ host: '127.0.0.1', port: proxy.port }];
  await updateInstanceRow({ ...row, settings: { ...row.settings, endpoints } });
  return proxy;
}

/** Returns these keys as a request names them. */
export const toKeys = (...names: string[]) => names.map((name) => ({ k: encodeKey(Buffer.from(name)), db: 0 }));

export const makeDeletion = (instanceId: string, names: string[], options: Record<string, unknown> = {}) =>
  PlanRequest.parse({
    task: 'delete',
    instanceId,
    selection: { by: 'keys', keys: toKeys(...names) },
    options: { speed: 'fast', ...options },
  });

export const firstPage = (deletionId: string) => listItemsPage(LOCAL_ADMIN, deletionId, ItemQuery.parse({}));
