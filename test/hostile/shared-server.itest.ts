import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { acceptServer } from '../../lib/deletions/accept-server';
import { compareServers } from '../../lib/deletions/compare-servers';
import { deletionKind } from '../../lib/deletions/deletion-kind';
import { exportArchive } from '../../lib/deletions/export/export-archive';
import { listDeletions } from '../../lib/deletions/get-deletion';
import { giveUp } from '../../lib/deletions/give-up';
import { leftoversKind } from '../../lib/deletions/leftovers-kind';
import { makePlan } from '../../lib/deletions/make-plan';
import { startDeletion } from '../../lib/deletions/start-deletion';
import { startLeftoversSearch } from '../../lib/deletions/start-leftovers-search';
import { undoDeletion } from '../../lib/deletions/undo-deletion';
import { changeDestinations } from '../../lib/instances/destinations';
import { getInstance } from '../../lib/instances/get-instance';
import { previewLiveKey } from '../../lib/instances/read-live-key';
import { readServerFacts } from '../../lib/instances/read-server-facts';
import { registerInstance } from '../../lib/instances/register-instance';
import { removeInstance } from '../../lib/instances/remove-instance';
import { testConnection } from '../../lib/instances/test-connection';
import { updateInstance } from '../../lib/instances/update-instance';
import { createRunner, type Runner } from '../../lib/jobs/loop/runner';
import type { Role } from '../../lib/model/access';
import { type Actor, LOCAL_ADMIN } from '../../lib/model/actor';
import type { Consent } from '../../lib/model/deletions/plan-request';
import { encodeKey } from '../../lib/model/keys/key-id';
import { InstanceInput } from '../../lib/model/servers/instance';
import { generateId } from '../../lib/store/generate-id';
import { getStoredJob } from '../../lib/store/jobs';
import { insertSnapshot } from '../../lib/store/snapshots';
import { makeDeletion } from '../deletions/stand-per-test';
import { startLyingProxy } from '../servers/lying-proxy';
import { until } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { startReplica } from '../servers/replica';
import { temporaryData } from '../temporary-data';

/**
 * Two instances contain the same server, or a server claims to be another one. Instance B is protected; the attacker
 * has rights on A only.
 */
let data: ReturnType<typeof temporaryData>;
let server: RedisServer;
let runner: Runner;
const KEY = 'secret:1';
const VALUE = 'canary-7b1e-of-a-value';
const PREVIEW = { k: encodeKey(Buffer.from(KEY)), db: 0, reason: null };

beforeEach(async () => {
  data = temporaryData();
  server = await startRedis();
  await server.client().set(KEY, VALUE);
  runner = createRunner({
    kinds: [deletionKind as never, leftoversKind as never],
    concurrency: 2,
    tickMs: 50,
    pollMs: 50,
  });
  await runner.start();
});
afterEach(async () => {
  await runner.stop();
  await server.stop();
  await data.remove();
});

const register = (name: string, port: number, more: Record<string, unknown> = {}) =>
  registerInstance(
    LOCAL_ADMIN,
    InstanceInput.parse({
      name,
      topology: 'standalone',
      endpoints: [{ host: '127.0.0.1', port }],
      readOnly: false,
      ...more,
    }),
  );
const grantedOn = (instanceId: string, role: Exclude<Role, 'none'>): Actor => ({
  id: 'mallory',
  name: 'mallory',
  role: 'none',
  via: 'page',
  grants: [{ kind: 'instance', value: instanceId, role }],
});
const ended = (jobId: string | undefined) =>
  until('the job to end', async () => {
    const state = (await getStoredJob(jobId ?? ''))?.job.state;
    if (state === 'failed' || state === 'paused') throw new Error(`The job is ${state}.`);
    return state === 'succeeded';
  });
async function deleted(instanceId: string, consents: Consent[] = []): Promise<string> {
  const plan = await makePlan(LOCAL_ADMIN, makeDeletion(instanceId, [KEY]));
  const confirm = plan.phrase;
  const { job } = await startDeletion(LOCAL_ADMIN, { planId: plan.id, confirm, consents });
  await ended(job?.id);
  return plan.id;
}
const refusal = (act: Promise<unknown>) =>
  act.then((answer) => `gave ${JSON.stringify(answer)}`).catch((error) => error.code as string);
const search = async (actor: Actor, instanceId: string) => ended((await startLeftoversSearch(actor, instanceId)).id);
const listIds = async (instanceId: string) =>
  (await listDeletions(LOCAL_ADMIN, { instanceId })).map(({ plan }) => plan.id);
const download = async (actor: Actor, id: string) => {
  const { stream } = await exportArchive(actor, id, { seq: null, reason: 'A reason that is long enough.' });
  return new Response(stream).text();
};

describe('a server that repeats the replication id of another one', () => {
  async function attack(marks: Record<string, unknown>) {
    const b = await register('b', server.port, marks);
    const id = await deleted(b.id);
    const info = await server.client().info('replication');
    const replid = /master_replid:(\w+)/.exec(info)?.[1] ?? '';
    await server.stop();
    await giveUp(LOCAL_ADMIN, b.id, { confirm: 'b', consents: ['set_aside_lost'] });
    await removeInstance(LOCAL_ADMIN, b.id);
    const rogue = await startRedis();
    onTestFinished(() => rogue.stop());
    const proxy = await startLyingProxy(rogue.port);
    onTestFinished(() => proxy.stop());
    proxy.lie = ([word]) =>
      word === 'INFO'
        ? {
            reply: (truth) => {
              const text = truth.toString('latin1').replace(/^\$\d+\r\n|\r\n$/g, '');
              const lie = text.replace(/master_replid:\w+/, `master_replid:${replid}`);
              return `$${lie.length}\r\n${lie}\r\n`;
            },
          }
        : null;
    const a = await register('a', proxy.port);
    return { id, a, rogue, operator: grantedOn(a.id, 'operator') };
  }

  it('gets no archive of it, whoever has rights on its own instance alone', async () => {
    const { id, a, operator } = await attack({});
    await search(operator, a.id);
    expect(await listIds(a.id)).toEqual([]);
    expect(await refusal(download(operator, id))).toBe('not_found');
  });

  it('claimed by an administrator of all, the values stay with those who may read all', async () => {
    const { id, a, rogue, operator } = await attack({});
    await search(LOCAL_ADMIN, a.id);
    expect(await listIds(a.id)).toEqual([id]);
    expect(await refusal(download(operator, id))).toBe('forbidden');
    expect(await download(LOCAL_ADMIN, id)).toContain(Buffer.from(VALUE).toString('base64'));
    for (const actor of [operator, grantedOn(a.id, 'admin')]) {
      expect(await refusal(undoDeletion(actor, id, { restoreExpired: false }))).toBe('forbidden');
      const seen = (await compareServers(actor, id)).seen;
      expect(await refusal(acceptServer(actor, id, { confirm: 'a', seen }))).toBe('forbidden');
    }
    expect(await rogue.client().exists(KEY)).toBe(0);
    // An administrator of all instances may accept the server.
    await acceptServer(LOCAL_ADMIN, id, { confirm: 'a', seen: (await compareServers(LOCAL_ADMIN, id)).seen });
  });

  it('claimed, the values stay with those who may read all when the instance is moved to where they come from', async () => {
    const { id, a, operator } = await attack({});
    await search(LOCAL_ADMIN, a.id);
    const endpoints = [{ host: '127.0.0.1', port: server.port }];
    await updateInstance(LOCAL_ADMIN, a.id, { endpoints });
    expect(await refusal(download(operator, id))).toBe('forbidden');
    // The attacker's empty server listens at this address and would be sent the values.
    const own = await startRedis({ port: server.port });
    onTestFinished(() => own.stop());
    for (const actor of [operator, grantedOn(a.id, 'admin')])
      expect(await refusal(undoDeletion(actor, id, { restoreExpired: false }))).toBe('forbidden');
    expect(await own.client().dbsize()).toBe(0);
    expect(await download(LOCAL_ADMIN, id)).toContain(Buffer.from(VALUE).toString('base64'));
  });

  it('claimed, the values stay as forbidden as they were where they come from', async () => {
    const { id, a } = await attack({ valuesForbidden: true });
    expect(await refusal(download(LOCAL_ADMIN, id))).toBe('values_forbidden');
    await search(LOCAL_ADMIN, a.id);
    expect(await listIds(a.id)).toEqual([id]);
    expect(await refusal(download(LOCAL_ADMIN, id))).toBe('values_forbidden');
  });
});

const STRICT = { production: true, secondPerson: true, readOnly: true, valuesForbidden: true };

describe('an instance that names the server of another one', () => {
  it('is not made of one’s own by somebody who administers it alone', async () => {
    await register('b', server.port, STRICT);
    const other = await startRedis();
    onTestFinished(() => other.stop());
    const a = await register('a', other.port);
    const mallory = grantedOn(a.id, 'admin');
    const endpoints = [{ host: '127.0.0.1', port: server.port }];
    expect(await refusal(updateInstance(mallory, a.id, { endpoints }))).toBe('node_of_other_instance');
    for (const host of ['localhost', 'LOCALHOST', '::1', '::ffff:127.0.0.1', '0:0:0:0:0:0:0:1']) {
      const named = { endpoints: [{ host, port: server.port }] };
      expect([host, await refusal(updateInstance(mallory, a.id, named))]).toEqual([host, 'node_of_other_instance']);
      const test = InstanceInput.parse({ name: 'a', topology: 'standalone', ...named });
      expect([host, await refusal(testConnection(mallory, test, a.id))]).toEqual([host, 'node_of_other_instance']);
    }
    for (const place of [`[::ffff:127.0.0.1]:${server.port}`, `127.0.0.1/32:${server.port}`])
      expect([place, await refusal(changeDestinations(mallory, a.id, { confirm: [place], withdraw: [] }))]).toEqual([
        place,
        'node_of_other_instance',
      ]);
    const confirm = [`127.0.0.1:${server.port}`];
    expect(await refusal(updateInstance(mallory, a.id, { destinations: confirm }))).toBe('node_of_other_instance');
    expect(await refusal(changeDestinations(mallory, a.id, { confirm, withdraw: [] }))).toBe('node_of_other_instance');
    await updateInstance(mallory, a.id, { endpoints: [{ host: 'localhost', port: other.port }] });
    await updateInstance(LOCAL_ADMIN, a.id, { endpoints });
  });

  it('is not called a Sentinel by somebody who administers it alone', async () => {
    await register('b', server.port, STRICT);
    const a = await register('a', 1);
    const endpoints = [1, server.port].map((port) => ({ host: '127.0.0.1', port }));
    const sentinels = { topology: 'sentinel', sentinelName: 'm', endpoints } as const;
    expect(await refusal(updateInstance(grantedOn(a.id, 'admin'), a.id, sentinels))).toBe('node_of_other_instance');
  });

  it.each(['localhost', 'LOCALHOST.', '::1'])(
    'is found before anybody has connected to the other one: %s',
    async (host) => {
      const b = await register('b', server.port, { ...STRICT, endpoints: [{ host, port: server.port }] });
      const a = await register('a', 1);
      const take = () =>
        refusal(
          updateInstance(grantedOn(a.id, 'admin'), a.id, { endpoints: [{ host: '127.0.0.1', port: server.port }] }),
        );
      expect(await take()).toBe('node_of_other_instance');
      // With another topology it keeps its known nodes until the next connection.
      await updateInstance(LOCAL_ADMIN, b.id, { topology: 'sentinel', sentinelName: 'm' });
      expect(await take()).toBe('node_of_other_instance');
    },
  );

  it('marks no node that a server names and nobody has reached', async () => {
    const b = await register('b', server.port);
    const rogue = await startRedis();
    onTestFinished(() => rogue.stop());
    const proxy = await startLyingProxy(rogue.port);
    onTestFinished(() => proxy.stop());
    proxy.lie = ([word]) =>
      word === 'INFO'
        ? {
            reply: (truth) => {
              const replica = `connected_slaves:1\r\nslave0:ip=127.0.0.1,port=${server.port},state=online,offset=1,lag=0`;
              const text = truth.toString('latin1').replace(/^\$\d+\r\n|\r\n$/g, '');
              const lie = text.replace('connected_slaves:0', replica);
              return `$${lie.length}\r\n${lie}\r\n`;
            },
          }
        : null;
    const a = await register('a', proxy.port, STRICT);
    await readServerFacts(LOCAL_ADMIN, a.id);
    expect((await getInstance(LOCAL_ADMIN, b.id)).marks ?? null).toBeNull();
    await updateInstance(grantedOn(b.id, 'admin'), b.id, { endpoints: [{ host: 'localhost', port: server.port }] });
  });

  it.each([
    ['by its address', '127.0.0.1'],
    ['by another name', 'localhost'],
  ])('%s, has its marks', async (_, host) => {
    const b = await register('b', server.port, STRICT);
    // A plan has connected to the server before.
    await makePlan(LOCAL_ADMIN, makeDeletion(b.id, [KEY]));
    expect(b.warnings).toEqual([]);
    const a = await register('a', server.port, { endpoints: [{ host, port: server.port }] });
    // The person who registers it learns it at once, also by the API.
    expect(a.warnings).toMatchObject([{ code: 'shared_server', params: { instances: 'b' } }]);
    const mallory = grantedOn(a.id, 'admin');
    expect(await refusal(previewLiveKey(mallory, a.id, PREVIEW))).toBe('values_forbidden');
    for (const [actor, params] of [
      [LOCAL_ADMIN, { instances: 'b' }],
      [mallory, { instances: '' }],
    ] as const)
      expect((await readServerFacts(actor, a.id)).warnings[0]).toMatchObject({ code: 'shared_server', params });
    // These marks decide whether pages ask for a reason, or offer nothing at all.
    const marks = { production: true, valuesForbidden: true, readOnly: true };
    expect(await getInstance(mallory, a.id)).toMatchObject({ production: false, valuesForbidden: false, marks });
    // A connection to a server that it already shares may be tested.
    const shared = { name: 'a', topology: 'standalone', endpoints: [{ host, port: server.port }] };
    await testConnection(mallory, InstanceInput.parse(shared), a.id);
    const plan = await makePlan(mallory, makeDeletion(a.id, [KEY], { mode: 'unlink' }));
    expect(plan).toMatchObject({ production: true, values: { valuesForbidden: true } });
    expect(plan.consents).toContain('production');
    const start = () => startDeletion(mallory, { planId: plan.id, confirm: 'a', consents: ['no_undo', 'production'] });
    expect(await refusal(start())).toMatch(/^(read_only|fresh_sign_in_needed)$/);
    await updateInstance(LOCAL_ADMIN, b.id, { readOnly: false });
    expect(await refusal(startDeletion(LOCAL_ADMIN, { planId: plan.id, confirm: 'a', consents: ['no_undo'] }))).toBe(
      'consent_missing',
    );
    expect(
      await refusal(startDeletion(LOCAL_ADMIN, { planId: plan.id, confirm: 'a', consents: ['no_undo', 'production'] })),
    ).toBe('approval_needed');
    await removeInstance(LOCAL_ADMIN, b.id);
    expect(await previewLiveKey(mallory, a.id, PREVIEW)).toMatchObject({ exists: true });
    expect(await server.client().get(KEY)).toBe(VALUE);
  });

  it.each([
    ['says it in INFO', undefined, []],
    ['may not send INFO', 'reader', ['user reader on nopass ~* &* +@all -info']],
  ])('through its replica, which nobody has confirmed there, has its marks: the user %s', async (_, username, acl) => {
    const replica = await startReplica(server, { acl });
    onTestFinished(() => replica.stop());
    const b = await register('b', server.port, STRICT);
    await readServerFacts(LOCAL_ADMIN, b.id);
    const marks = { readOnly: true, production: true, secondPerson: true, valuesForbidden: true };
    const a = await register('a', replica.port, { username, secondPerson: true });
    const mallory = grantedOn(a.id, 'admin');
    expect(await refusal(previewLiveKey(mallory, a.id, PREVIEW))).toBe('values_forbidden');
    expect(await getInstance(mallory, a.id)).toMatchObject({ marks });
    expect((await readServerFacts(mallory, a.id)).warnings[0]).toMatchObject({ code: 'shared_server' });
    // The other way round it says nothing: anybody may call a server its master.
    await updateInstance(LOCAL_ADMIN, b.id, { ...STRICT, secondPerson: false });
    expect((await getInstance(LOCAL_ADMIN, b.id)).marks ?? null).toBeNull();
    await updateInstance(grantedOn(b.id, 'admin'), b.id, { endpoints: [{ host: 'localhost', port: server.port }] });
  });

  it.each(['localhost', '::ffff:127.0.0.1'])(
    'has its marks when the server was started anew and nobody has looked at the other one since: %s',
    async (host) => {
      const b = await register('b', server.port, STRICT);
      const a = await register('a', server.port, { endpoints: [{ host, port: server.port }] });
      for (const { id } of [b, a]) await readServerFacts(LOCAL_ADMIN, id);
      await server.restart();
      await server.client().set(KEY, VALUE);
      expect(await refusal(previewLiveKey(grantedOn(a.id, 'admin'), a.id, PREVIEW))).toBe('values_forbidden');
    },
  );

  it('is not held up in an undo by the mark of that other one', async () => {
    const a = await register('a', server.port);
    const id = await deleted(a.id);
    await register('b', server.port, { readOnly: true });
    await ended((await undoDeletion(LOCAL_ADMIN, id, { restoreExpired: false })).job?.id);
    expect(await server.client().get(KEY)).toBe(VALUE);
  });
});

describe('what one may not see is not told', () => {
  it('by a plan that names a snapshot of it, nor by a name', async () => {
    const b = await register('b', server.port);
    const a = await register('a', server.port, { endpoints: [{ host: 'localhost', port: server.port }] });
    const mallory = grantedOn(a.id, 'admin');
    const snapshot = {
      id: generateId(),
      instanceId: b.id,
      jobId: null,
      state: 'sealed' as const,
      startedAt: 1,
      endedAt: 2,
    };
    const unknown = { keys: 1, bytes: 1, bigkeys: 0, noExpiryKeys: 0, partial: false, fileBytes: 1, score: null };
    const counts = { mandatoryKeys: null, recommendedKeys: null, adviceKeys: null, policyHash: null };
    await insertSnapshot({ ...snapshot, ...unknown, ...counts });
    for (const snapshotId of [snapshot.id, generateId()]) {
      const byKeys = makeDeletion(a.id, [KEY]);
      const plan = await makePlan(mallory, { ...byKeys, selection: { ...byKeys.selection, snapshotId } } as never);
      expect(plan.snapshotAt).toBeNull();
      const selection = { by: 'filter' as const, snapshotId, filter: { prefix: 'secret:' } };
      const error = await makePlan(mallory, { ...byKeys, selection } as never).catch((one) => one);
      expect([error.code, error.message]).toEqual(['not_found', 'There is no such snapshot.']);
    }
    for (const name of ['b', 'c']) expect(await refusal(updateInstance(mallory, a.id, { name }))).toBe('forbidden');
    await updateInstance(LOCAL_ADMIN, a.id, { name: 'c' });
  });
});

const SILENT_ON = /^(EVAL|EVALSHA|RENAMENX|MULTI|WATCH|UNLINK|DEL|TYPE|DUMP)$/;
it('a server that is silent on what a plan asks gives the error of the connection', async () => {
  const proxy = await startLyingProxy(server.port);
  onTestFinished(() => proxy.stop());
  proxy.lie = ([word]) => (SILENT_ON.test(word) ? { withheld: true, silent: true } : null);
  const a = await register('a', proxy.port);
  expect(await refusal(makePlan(LOCAL_ADMIN, makeDeletion(a.id, [KEY])))).toMatch(/^redis_(timeout|unreachable)$/);
});
