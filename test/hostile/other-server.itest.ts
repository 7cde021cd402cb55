import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getDeletion, getPlan } from '../../lib/deletions/get-deletion';
import { makePlan } from '../../lib/deletions/make-plan';
import { sweepDeletions } from '../../lib/deletions/sweep-deletions';
import { undoDeletion } from '../../lib/deletions/undo-deletion';
import { pauseJob } from '../../lib/jobs/pause-job';
import { resumeJob } from '../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import type { ServerIdentity } from '../../lib/model/servers/server-identity';
import { getStoredDeletion, updateDeletion } from '../../lib/store/deletions/deletions';
import { getInstanceRow, updateInstanceRow } from '../../lib/store/instances';
import { openStand, type Stand } from '../deletions/stand';
import { makeDeletion } from '../deletions/stand-per-test';
import { type RedisServer, startRedis } from '../servers/redis';
import { startReplica } from '../servers/replica';
import { temporaryData } from '../temporary-data';
import { confirmPlan } from './snapshot-plan';

/** A plan belongs to one server. Whatever the instance points to later, nothing is sent to another server. */
const closing: (() => Promise<unknown>)[] = [];
let data: ReturnType<typeof temporaryData>;
let first: RedisServer;
let other: RedisServer;
let stand: Stand;

const started = async (args: string[] = []) => {
  const server = await startRedis({ args });
  closing.push(() => server.stop());
  return server;
};
/** Starts a relay with a fixed address whose server can be exchanged. */
async function startRelay(to: RedisServer): Promise<RedisServer & { to: RedisServer }> {
  const relay = { to };
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connectSocket(relay.to.port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        for (const end of [near, far]) end.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as { port: number };
  return new Proxy(to, {
    get: (_, name) => (name === 'port' ? port : name === 'address' ? `127.0.0.1:${port}` : Reflect.get(relay.to, name)),
    set(_, name, value: RedisServer) {
      if (name === 'to') relay.to = value;
      for (const socket of sockets) socket.destroy();
      return true;
    },
  }) as RedisServer & { to: RedisServer };
}
async function pointTo(server: { port: number }, host = '127.0.0.1') {
  const row = await getInstanceRow(stand.instanceId);
  if (!row) throw new Error('no instance');
  await updateInstanceRow({ ...row, settings: { ...row.settings, endpoints: [{ host, port: server.port }] } });
}
const planDeletion = (names: string[], options = {}) =>
  makePlan(LOCAL_ADMIN, makeDeletion(stand.instanceId, names, options));
const setBoth = async (...clients: Redis[]) => {
  for (const client of clients) await client.set('k', 'a value');
};
/** Makes a plan that records its server a minute later: every server of the test is older than that. */
async function planLater(names: string[]) {
  const plan = await planDeletion(names);
  await changeServer(plan.id, ({ seenAt, ...server }) => ({ ...server, seenAt: seenAt + 60_000 }));
  return plan;
}
async function changeServer(id: string, change: (server: ServerIdentity) => ServerIdentity) {
  const stored = await getStoredDeletion(id);
  if (!stored?.plan.server) throw new Error('a plan without its server');
  await updateDeletion(id, { plan: { ...stored.plan, server: change(stored.plan.server) } });
}

beforeEach(async () => {
  data = temporaryData();
  first = await started();
  other = await started();
});
afterEach(async () => {
  await stand.close();
  for (const close of closing.splice(0).reverse()) await close();
  await data.remove();
});

describe('the address was edited', () => {
  beforeEach(async () => {
    stand = await openStand(first);
  });

  it('between plan and confirmation: refused, and the other server keeps its key', async () => {
    await setBoth(first.client(), other.client());
    const plan = await planDeletion(['k']);
    await pointTo(other);
    await expect(confirmPlan(plan)).rejects.toMatchObject({
      code: 'other_server',
      details: { was: first.address, is: other.address },
    });
    await pointTo(first);
    await stand.until(await confirmPlan(plan), ['succeeded']);
    expect(await other.client().exists('k')).toBe(1);
    expect(await first.client().exists('k')).toBe(0);
  });

  it('to one that does not answer: refused as well', async () => {
    await setBoth(first.client());
    const plan = await planDeletion(['k']);
    await other.kill();
    await pointTo(other);
    await expect(confirmPlan(plan)).rejects.toMatchObject({ code: 'other_server' });
  });

  it('while it was paused: it waits for a person, and goes on at home', async () => {
    await stand.close();
    stand = await openStand(first, { name: 'second' }, false);
    await setBoth(first.client(), other.client());
    const plan = await planDeletion(['k']);
    const job = await confirmPlan(plan);
    await pauseJob(LOCAL_ADMIN, job);
    await pointTo(other);
    await resumeJob(LOCAL_ADMIN, job);
    await stand.runner.start();
    await stand.until(job, ['paused']);
    expect((await getDeletion(LOCAL_ADMIN, plan.id)).job?.reason).toMatchObject({
      code: 'other_server',
      params: { was: first.address, is: other.address },
    });
    expect(await other.client().exists('k')).toBe(1);
    await pointTo(first);
    await resumeJob(LOCAL_ADMIN, job);
    await stand.until(job, ['succeeded']);
    expect(await first.client().dbsize()).toBe(0);
  });

  it('before the undo: refused, nothing is built there', async () => {
    await setBoth(first.client());
    const plan = await planDeletion(['k']);
    await stand.until(await confirmPlan(plan), ['succeeded']);
    await pointTo(other);
    await expect(undoDeletion(LOCAL_ADMIN, plan.id, { restoreExpired: false })).rejects.toMatchObject({
      code: 'other_server',
    });
    // A job that was created before does not change it either.
    await stand.start(plan.id, 'undo').then((job) => stand.until(job, ['paused']));
    expect(await other.client().dbsize()).toBe(0);
  });

  it('while a key is quarantined: the purge waits', async () => {
    await setBoth(first.client(), other.client());
    const plan = await planDeletion(['k'], { mode: 'quarantine', quarantineHours: 1 });
    await stand.until(await confirmPlan(plan), ['succeeded']);
    await pointTo(other);
    const before = await other.client().dbsize();
    await sweepDeletions(Date.now() + 2 * 3_600_000);
    const { job } = await getDeletion(LOCAL_ADMIN, plan.id);
    await stand.until(job?.id ?? '', ['paused']);
    expect((await getDeletion(LOCAL_ADMIN, plan.id)).job?.reason?.code).toBe('other_server');
    expect((await stand.items(plan.id))[0]?.state).toBe('quarantined');
    expect(await other.client().dbsize()).toBe(before);
  });

  it('to another name of the same server: only its word says so, and a new plan is made', async () => {
    await setBoth(first.client());
    const plan = await planDeletion(['k']);
    await pointTo(first, 'localhost');
    await expect(confirmPlan(plan)).rejects.toMatchObject({ code: 'other_server' });
    expect(await first.client().exists('k')).toBe(1);
    await stand.until(await confirmPlan(await planDeletion(['k'])), ['succeeded']);
    expect(await first.client().exists('k')).toBe(0);
  });

  it('and nobody may ask who it is: the address decides', async () => {
    for (const server of [first, other]) await server.client().call('ACL', 'SETUSER', 'default', '-info');
    await setBoth(first.client(), other.client());
    const plan = await planDeletion(['k']);
    await pointTo(other);
    await expect(confirmPlan(plan)).rejects.toMatchObject({ code: 'other_server' });
    await pointTo(first);
    await stand.until(await confirmPlan(plan), ['succeeded']);
    expect(await other.client().exists('k')).toBe(1);
  });
});

describe('behind one address', () => {
  let relay: RedisServer & { to: RedisServer };
  beforeEach(async () => {
    relay = await startRelay(first);
    stand = await openStand(relay);
    await setBoth(first.client());
  });

  it('another server, older than the plan: refused', async () => {
    await setBoth(other.client());
    const plan = await planLater(['k']);
    expect((await getPlan(LOCAL_ADMIN, plan.id)).server?.nodes[0]?.address).toBe(relay.address);
    relay.to = other;
    await expect(confirmPlan(plan)).rejects.toMatchObject({ code: 'other_server' });
    expect(await other.client().exists('k')).toBe(1);
  });

  it('a replica that was made the master: the same data, it goes on', async () => {
    const replica = await startReplica(first);
    closing.push(() => replica.stop());
    const plan = await planLater(['k']);
    // The plan did not know the replica, which is identified by its replication id.
    await changeServer(plan.id, (server) => ({
      ...server,
      nodes: server.nodes.filter(({ role }) => role === 'master'),
    }));
    await first.client().set('written after', 'the plan');
    await first.client().call('WAIT', 1, 5000);
    await replica.client().call('REPLICAOF', 'NO', 'ONE');
    relay.to = replica;
    await stand.until(await confirmPlan(plan), ['succeeded']);
    expect(await replica.client().exists('k')).toBe(0);
    expect(await first.client().exists('k')).toBe(1);
  });

  it('a copy that went its own way before the plan: another server', async () => {
    const copy = await startReplica(first);
    closing.push(() => copy.stop());
    await copy.client().call('REPLICAOF', 'NO', 'ONE');
    const replica = await startReplica(first);
    closing.push(() => replica.stop());
    await first.client().set('written', 'since the copy was made');
    await first.client().call('WAIT', 1, 5000);
    const plan = await planLater(['k']);
    relay.to = copy;
    await expect(confirmPlan(plan)).rejects.toMatchObject({ code: 'other_server' });
    expect(await copy.client().exists('k')).toBe(1);
  });

  it('the same server, started again: its keys are looked at again, and it goes on', async () => {
    const kept = await started(['--appendonly', 'yes', '--appendfsync', 'always']);
    relay.to = kept;
    await setBoth(kept.client());
    const plan = await planDeletion(['k']);
    const seen = plan.server?.nodes[0]?.runId;
    await kept.restart();
    relay.to = kept;
    await stand.until(await confirmPlan(plan), ['succeeded']);
    expect(await kept.client().exists('k')).toBe(0);
    const after = await getPlan(LOCAL_ADMIN, plan.id);
    expect(after.server?.nodes[0]?.runId).not.toBe(seen);
    expect(after.lookedAt).toBeGreaterThan(plan.lookedAt);
  });

  it('an empty one in its place: the plan is made anew, not carried out', async () => {
    const kept = await started(['--appendonly', 'no']);
    relay.to = kept;
    await kept.client().mset('a', '1', 'b', '2');
    const plan = await planDeletion(['a', 'b']);
    await kept.restart();
    relay.to = kept;
    await kept.client().set('a', '1');
    await expect(confirmPlan(plan)).rejects.toMatchObject({ code: 'plan_outdated' });
    expect(await kept.client().exists('a')).toBe(1);
  });
});
