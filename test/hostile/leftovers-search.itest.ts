import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readDestinationPolicy } from '@/lib/access/credentials/destination-policy';
import { openTarget } from '@/lib/access/credentials/open-target';
import { getLeftovers } from '@/lib/deletions/get-leftovers';
import { leftoversKind } from '@/lib/deletions/leftovers-kind';
import { countKeysRead, EMPTY_CHECKPOINT, type LeftoversCheckpoint } from '@/lib/deletions/run/leftovers-checkpoint';
import { searchLeftovers } from '@/lib/deletions/run/search-leftovers';
import { startLeftoversSearch } from '@/lib/deletions/start-leftovers-search';
import { createRunner } from '@/lib/jobs/loop/runner';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { formatRestoreName, formatTombstoneName } from '@/lib/redis/keys/internal-key-name';
import { computeSlot } from '@/lib/redis/keys/slot';
import { openStand } from '@/test/deletions/stand';
import { LONG } from '@/test/long-form.mjs';
import { sleep } from '@/test/servers/process';
import { startRedis } from '@/test/servers/redis';
import { temporaryData } from '@/test/temporary-data';

/**
 * Any user may start the search; the server gets at most one search at a time, throttled, however often it is started.
 */
const closing: (() => Promise<unknown>)[] = [];
let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function prepared(keys: number) {
  const server = await startRedis({ args: ['--enable-debug-command', 'yes'] });
  closing.push(() => server.stop());
  const client = server.client();
  await client.call('DEBUG', 'POPULATE', String(keys));
  await client.set(formatTombstoneName(computeSlot(Buffer.from('a')), 'job1', 1), 'x');
  await server.client({ db: 3 }).set(formatRestoreName(computeSlot(Buffer.from('b')), 'job2', 2), 'y');
  const stand = await openStand(server, {}, false);
  closing.push(() => stand.close());
  const calls = async (command: string) => {
    const stats = await client.info('commandstats');
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  };
  const run = async () => {
    const runner = createRunner({ kinds: [leftoversKind as never], concurrency: 2, tickMs: 50, pollMs: 20 });
    await runner.start();
    return runner;
  };
  return { server, client, stand, calls, run };
}

it('asking for what was found asks no server, fifty times over', async () => {
  const { stand, calls, client } = await prepared(1000);
  const before = [await calls('scan'), (await client.info('clients')).match(/connected_clients:\d+/)?.[0]];
  const answers = await Promise.all(Array.from({ length: 50 }, () => getLeftovers(LOCAL_ADMIN, stand.instanceId)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"search":null,"leftovers":[]}']));
  expect([await calls('scan'), (await client.info('clients')).match(/connected_clients:\d+/)?.[0]]).toEqual(before);
});

it('a second search of an instance is refused while one is under way, and names it', async () => {
  const { stand } = await prepared(10);
  const job = await startLeftoversSearch(LOCAL_ADMIN, stand.instanceId);
  const second = startLeftoversSearch(LOCAL_ADMIN, stand.instanceId);
  await expect(second).rejects.toMatchObject({ code: 'job_running', details: { job: job.id } });
});

it('the search goes over every database once, finds internal keys, and keeps what it found', async () => {
  const keys = LONG ? 30_000 : 4000;
  const { stand, calls, run, client } = await prepared(keys);
  const job = await startLeftoversSearch(LOCAL_ADMIN, stand.instanceId);
  const runner = await run();
  closing.push(() => runner.stop());
  await stand.until(job.id, ['succeeded']);
  const { search, leftovers } = await getLeftovers(LOCAL_ADMIN, stand.instanceId);
  expect(search).toMatchObject({ jobId: job.id, state: 'succeeded', keysRead: keys + 2, skipped: [], cut: false });
  expect(leftovers.map(({ kind, db, owned, deletionId }) => ({ kind, db, owned, deletionId }))).toEqual([
    { kind: 'tombstone', db: 0, owned: false, deletionId: null },
    { kind: 'restore', db: 3, owned: false, deletionId: null },
  ]);
  // Pages are small, however slow the server seemed: between ten and a thousand keys each.
  expect(await calls('scan')).toBeGreaterThanOrEqual(keys / 1000);
  expect(await calls('scan')).toBeLessThan(keys / 10 + 100);
  expect(await client.dbsize()).toBe(keys + 1);
});

it('a search waits while the server saves: it is paced as every job is', async () => {
  const { server, stand, calls, run, client } = await prepared(5000);
  // The save takes a hundred seconds, unless it is ended.
  await client.config('SET', 'rdb-key-save-delay', '20000');
  await client.bgsave();
  const job = await startLeftoversSearch(LOCAL_ADMIN, stand.instanceId);
  const runner = await run();
  closing.push(() => runner.stop());
  const waiting = await stand.until(job.id, ['waiting']);
  expect(waiting?.job.reason?.code).toBe('saving');
  const before = await calls('scan');
  // Several checks of the server happen in this time.
  await sleep(500);
  expect((await calls('scan')) - before).toBeLessThan(2);
  const [, saver] = /Background saving started by pid (\d+)/.exec(server.output()) ?? [];
  process.kill(Number(saver), 'SIGUSR1');
  const saving = async () => /rdb_bgsave_in_progress:1/.test(await client.info('persistence'));
  await expect.poll(saving, { timeout: 90_000, interval: 20 }).toBe(false);
  // The search may have continued between the end of the save and this check.
  expect((await calls('scan')) - before).toBeLessThan(5);
  await stand.until(job.id, ['succeeded']);
  expect(await calls('scan')).toBeGreaterThan(20);
});

/** Returns a function that searches until `reports` reports were made. */
function prepareSearch(target: ConnectionTarget, state: LeftoversCheckpoint) {
  return async (reports: number) => {
    let stop = () => {};
    let left = reports;
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    return searchLeftovers({
      target,
      policy: readDestinationPolicy(target.id),
      checkpoint: state,
      save: async () => {},
      byAdministrator: true,
      hooks: {
        signal: new AbortController().signal,
        whenStopRequested: stopped,
        regainPlace: () => null,
        retryForMs: 0,
        getStopRequest: () => (left <= 0 ? 'pause' : null),
        getSpeed: () => 'gentle',
        report: () => --left === 0 && stop(),
        writeFenced: () => Promise.reject(new Error('A search writes nothing.')),
        writeFencedLocked: () => Promise.reject(new Error('A search writes nothing.')),
        findRefusal: () => null,
      },
    });
  };
}

it('a search that was stopped goes on from its cursor; after a restart of the server it begins again', async () => {
  const keys = LONG ? 20_000 : 3000;
  const { stand, calls, server } = await prepared(keys);
  const state = structuredClone(EMPTY_CHECKPOINT);
  const target = await openTarget(stand.instanceId);
  const search = prepareSearch(target, state);
  expect(await search(5)).toBe('stopped');
  const { keysRead, cursor } = state.places[0]!;
  expect(keysRead).toBeGreaterThan(0);
  expect(keysRead).toBeLessThan(keys);
  expect(cursor).not.toBe('0');
  const before = await calls('scan');
  expect(await search(1_000_000)).toBe('done');
  const rest = (await calls('scan')) - before;
  expect(state.found).toHaveLength(2);
  expect(countKeysRead(state)).toBe(keys + 2);
  // Finished databases stay finished; a restarted server has other cursors, so its unfinished databases start again.
  await search(1_000_000);
  expect((await calls('scan')) - before).toBe(rest);
  for (const place of state.places) place.runId = 'before the restart';
  expect(await search(1)).toBe('stopped');
  // The first page may contain one of them.
  expect(state.found.length).toBeLessThan(2);
  expect(countKeysRead(state)).toBeLessThan(keys);
  expect(await search(1_000_000)).toBe('done');
  expect(countKeysRead(state)).toBe(keys + 2);
  expect(state.found).toHaveLength(2);
  expect(server.port).toBe(target.endpoints[0]!.port);
});

it('a cursor belongs to the server that the connection reached, not to that of the session', async () => {
  const { stand, client } = await prepared(3000);
  const other = await startRedis({ args: ['--enable-debug-command', 'yes'] });
  closing.push(() => other.stop());
  await other.client().call('DEBUG', 'POPULATE', '3000');
  const readId = async (server: { info(section: string): Promise<string> }) =>
    /run_id:(\w+)/.exec(await server.info('server'))?.[1];
  const target = await openTarget(stand.instanceId);
  const { port } = target.endpoints[0]!;
  let turns = [port, other.port];
  const balancer = createServer((socket) => {
    const behind = connect((turns.length > 1 ? turns.shift() : turns[0])!, '127.0.0.1');
    socket.pipe(behind).pipe(socket);
    for (const one of [socket, behind]) one.on('error', () => undefined);
  });
  await new Promise<void>((ready) => balancer.listen(0, '127.0.0.1', ready));
  closing.push(async () => balancer.close());
  const state = structuredClone(EMPTY_CHECKPOINT);
  const endpoints = [{ ...target.endpoints[0]!, port: (balancer.address() as AddressInfo).port }];
  const search = prepareSearch({ ...target, endpoints }, state);
  expect(await search(5)).toBe('stopped');
  expect(state.places[0]).toMatchObject({ runId: await readId(other.client()), done: false });
  turns = [port];
  expect(await search(1_000_000)).toBe('done');
  expect(state.places[0]).toMatchObject({ runId: await readId(client), done: true });
  expect(state.found).toHaveLength(2);
});
