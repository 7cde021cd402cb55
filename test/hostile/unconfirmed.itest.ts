import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { findApiTokenActor } from '@/lib/access/auth/api-tokens';
import { findSessionActor } from '@/lib/access/auth/sessions';
import { addUser } from '@/lib/access/users/manage-users';
import { confirmSignIn } from '@/lib/access/users/own-password';
import { createToken } from '@/lib/access/users/tokens';
import { useLink as openLink } from '@/lib/access/users/use-link';
import { makePlan } from '@/lib/deletions/make-plan';
import { auditServer } from '@/lib/instances/audit-server';
import { changeDestinations, getDestinations } from '@/lib/instances/destinations';
import { previewLiveKey, readLiveKey } from '@/lib/instances/read-live-key';
import { readServerFacts } from '@/lib/instances/read-server-facts';
import { registerInstance } from '@/lib/instances/register-instance';
import { removeInstance } from '@/lib/instances/remove-instance';
import { testConnection } from '@/lib/instances/test-connection';
import { createRunner, type Runner } from '@/lib/jobs/loop/runner';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { PlanRequest } from '@/lib/model/deletions/plan-request';
import { encodeKey } from '@/lib/model/keys/key-id';
import { Secret } from '@/lib/model/secret';
import { DestinationChange } from '@/lib/model/servers/destination';
import { InstanceInput } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { scanKind } from '@/lib/scans/scan-kind';
import { scanToFolder } from '@/lib/scans/scan-to-folder';
import { startScan } from '@/lib/scans/start-scan';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { confirmSessionRow } from '@/lib/store/accounts/sessions';
import { getStoredJob } from '@/lib/store/jobs';
import { listDestinations } from '@/lib/store/nodes/destinations';
import { runTransaction } from '@/lib/store/open-store';
import { openStand } from '@/test/deletions/stand';
import { freshFolder } from '@/test/scans/scan';
import { until } from '@/test/servers/process';
import { startRedis } from '@/test/servers/redis';
import { startReplica } from '@/test/servers/replica';
import { array, bulk, type RogueHandler, type RogueServer, startRogue } from '@/test/servers/rogue';
import { temporaryData } from '@/test/temporary-data';

/**
 * Servers that announce an address which no administrator has confirmed. Whatever is done with the instance, no
 * connection is made to it, and no password is sent.
 */
const SECRET = 'canary-5d10-password';
const stops: (() => Promise<unknown>)[] = [];
let data: ReturnType<typeof temporaryData>;
let victim: RogueServer;
let runner: Runner | null = null;
beforeAll(async () => {
  victim = await startRogue(() => '+PONG\r\n');
});
afterAll(() => victim.stop());
beforeEach(() => {
  data = temporaryData();
  victim.connections = 0;
});
afterEach(async () => {
  await runner?.stop();
  runner = null;
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await data.remove();
});

const int = (n: number) => `:${n}\r\n`;
const node = (host: string, port: number) =>
  array([
    ...[bulk('id'), bulk(`${port}`), bulk('port'), int(port), bulk('ip'), bulk(host), bulk('endpoint'), bulk(host)],
    ...[bulk('role'), bulk('master'), bulk('health'), bulk('online')],
  ]);
const shard = (from: number, to: number, host: string, port: number) =>
  array([bulk('slots'), array([int(from), int(to)]), bulk('nodes'), array([node(host, port)])]);

/** Accepts any password, has one empty node, and says that the other half of the slots belongs to the victim. */
async function rogueCluster(victimHost = '127.0.0.1'): Promise<RogueServer> {
  let self = 0;
  const answer: RogueHandler = ([name = '', sub = '']) => {
    if (name === 'PING') return '+PONG\r\n';
    if (['AUTH', 'CLIENT', 'READONLY', 'SELECT'].includes(name)) return '+OK\r\n';
    if (name === 'INFO')
      return bulk('redis_version:7.0.15\r\nredis_mode:cluster\r\nrun_id:abc\r\nrole:master\r\nused_memory:1\r\n');
    if (name === 'CLUSTER' && sub.toUpperCase() === 'SHARDS')
      return array([shard(0, 8191, '127.0.0.1', self), shard(8192, 16_383, victimHost, victim.port)]);
    if (name === 'SCAN') return array([bulk('0'), array([])]);
    if (name === 'DBSIZE') return int(0);
    return name === 'HELLO' ? '-NOPROTO\r\n' : '-ERR unknown command\r\n';
  };
  const rogue = await startRogue(answer);
  self = rogue.port;
  stops.push(rogue.stop);
  return rogue;
}

const clusterAt = (rogue: RogueServer, more: Record<string, unknown> = {}) =>
  InstanceInput.parse({
    name: 'social',
    topology: 'cluster',
    endpoints: [{ host: '127.0.0.1', port: rogue.port }],
    secrets: { password: SECRET },
    readOnly: false,
    ...more,
  });
// 'foo' hashes to slot 12182, which the victim is said to serve.
const FOO = encodeKey(Buffer.from('foo'));
const change = (more: Record<string, unknown>) => DestinationChange.parse(more);

it('a rogue cluster: test, server page, live key, preview, plan and scan never knock at the address', async () => {
  const rogue = await rogueCluster();
  const input = clusterAt(rogue);
  const tested = await testConnection(LOCAL_ADMIN, input);
  expect(tested.unconfirmed).toEqual([victim.address]);
  expect(tested.warnings).toContainEqual({
    code: 'destination_unconfirmed',
    severity: 'danger',
    params: { address: victim.address },
  });
  const { id } = await registerInstance(LOCAL_ADMIN, input);
  expect((await readServerFacts(LOCAL_ADMIN, id)).unconfirmed).toEqual([victim.address]);
  const { findings } = await auditServer(LOCAL_ADMIN, id);
  const unread = findings.filter((finding) => finding.unread);
  expect(unread.length).toBeGreaterThan(0);
  for (const { rule, unread: nodes } of unread) expect([rule, nodes]).toEqual([rule, [victim.address]]);
  const refused = { code: 'destination_unconfirmed' };
  await expect(readLiveKey(LOCAL_ADMIN, id, FOO, 0)).rejects.toMatchObject(refused);
  await expect(previewLiveKey(LOCAL_ADMIN, id, { k: FOO, db: 0, reason: null })).rejects.toMatchObject(refused);
  const plan = PlanRequest.parse({
    task: 'delete',
    instanceId: id,
    selection: { by: 'keys', keys: [{ k: FOO }] },
    options: {},
  });
  await expect(makePlan(LOCAL_ADMIN, plan)).rejects.toMatchObject({ code: 'destination_unconfirmed' });
  runner = createRunner({ kinds: [scanKind as never], concurrency: 1, tickMs: 50, pollMs: 50 });
  await runner.start();
  const job = await startScan(LOCAL_ADMIN, id, ScanOptions.parse({ speed: 'fast' }));
  await until('the scan to end', async () => (await getStoredJob(job.id))?.job.state === 'succeeded');
  const snapshotId = (await getStoredJob(job.id))?.job.snapshotId ?? '';
  const { coverage } = await readManifest(getSnapshotFolder(snapshotId));
  expect(coverage).toMatchObject({
    partial: true,
    skipped: [{ address: victim.address, db: null, reason: 'not_confirmed', slots: expect.any(Number) }],
  });
  expect(victim.connections).toBe(0);
  expect(rogue.received().toString('latin1')).toContain(SECRET);
});

it('a name that is announced is not even looked up', async () => {
  const rogue = await rogueCluster('canary-5d10.invalid');
  const { unconfirmed } = await testConnection(LOCAL_ADMIN, clusterAt(rogue));
  expect(unconfirmed).toEqual([`canary-5d10.invalid:${victim.port}`]);
});

it('a test on production sends the stored password to no typed place without what confirming one asks for', async () => {
  const rogue = await rogueCluster();
  const input = clusterAt(rogue, { production: true });
  const { id } = await registerInstance(LOCAL_ADMIN, input);
  const { link } = await addUser(LOCAL_ADMIN, { name: 'ada', role: 'admin', grants: [] });
  const from = { address: '10.0.0.1', agent: 'test' };
  const session = await openLink({ token: link.token, password: 'correct horse battery' }, from);
  const ada = (await findSessionActor(session, { via: 'page', use: true }))!;
  const { secret } = await createToken(ada, { name: 'ci', role: 'admin', grants: [], days: 1 });
  const program = (await findApiTokenActor(secret, { address: '10.0.0.2', use: true }))!;
  const age = () => runTransaction((tx) => confirmSessionRow(ada.sessionId!, 1, tx));
  const range = `127.0.0.0/16:${victim.port}`;
  const stored = { ...input, secrets: {} };
  await age();
  for (const place of [victim.address, range]) {
    const typed = { ...stored, destinations: [place] };
    await expect(testConnection(program, typed, id)).rejects.toMatchObject({ code: 'person_needed' });
    await expect(testConnection(ada, typed, id)).rejects.toMatchObject({ code: 'fresh_sign_in_needed' });
  }
  expect(victim.connections).toBe(0);
  // Without typed destinations, or with a typed password, nothing new is confirmed: the form asks for no more.
  expect((await testConnection(ada, { ...stored, destinations: [] }, id)).unconfirmed).toEqual([victim.address]);
  expect((await testConnection(program, stored, id)).unconfirmed).toEqual([victim.address]);
  expect(victim.connections).toBe(0);
  const typedPassword = { ...stored, secrets: { password: new Secret('another') }, destinations: [victim.address] };
  await testConnection(ada, typedPassword, id);
  expect(victim.connections).toBeGreaterThan(0);
  expect(victim.received().toString('latin1')).not.toContain(SECRET);
  await confirmSignIn(ada, 'correct horse battery', from);
  await testConnection(ada, { ...stored, destinations: [range] }, id);
  expect(victim.received().toString('latin1')).toContain(SECRET);
  // A confirmed destination is no longer reported as new.
  await changeDestinations(ada, id, change({ confirm: [range] }));
  await age();
  await testConnection(ada, { ...stored, destinations: [` ${range}`] }, id);
});

it('confirmed it is connected to, withdrawn no longer; both are on record; another instance has its own list', async () => {
  const rogue = await rogueCluster();
  const { id } = await registerInstance(LOCAL_ADMIN, clusterAt(rogue));
  const other = await registerInstance(LOCAL_ADMIN, clusterAt(rogue, { name: 'other' }));
  const viewer = { id: 'v', name: 'vera', role: 'operator' as const, via: 'page' as const };
  await expect(changeDestinations(viewer, id, change({ confirm: [victim.address] }))).rejects.toMatchObject({
    code: 'forbidden',
  });
  await changeDestinations(LOCAL_ADMIN, id, change({ confirm: [victim.address, ` ${victim.address}`] }));
  expect(await getDestinations(LOCAL_ADMIN, id)).toMatchObject([
    { address: victim.address, confirmedBy: 'local admin' },
  ]);
  // Confirmed twice, it is listed once, and the second time writes no row to the audit log.
  await changeDestinations(LOCAL_ADMIN, id, change({ confirm: [victim.address] }));
  await readServerFacts(LOCAL_ADMIN, other.id);
  expect(victim.connections).toBe(0);
  await readServerFacts(LOCAL_ADMIN, id);
  expect(victim.connections).toBeGreaterThan(0);
  await changeDestinations(LOCAL_ADMIN, id, change({ withdraw: [victim.address] }));
  victim.connections = 0;
  expect((await readServerFacts(LOCAL_ADMIN, id)).unconfirmed).toEqual([victim.address]);
  expect(victim.connections).toBe(0);
  const acts = (await listAudit(LOCAL_ADMIN, {})).rows.filter(({ action }) => action === 'instance.destinations');
  expect(acts.filter(({ outcome }) => outcome === 'done').map(({ details }) => details)).toEqual([
    { withdrawn: [victim.address] },
    { confirmed: [victim.address] },
  ]);
  await removeInstance(LOCAL_ADMIN, id);
  expect(await listDestinations(id)).toEqual([]);
});

it.each(['127.0.0.1', '0.0.0.0/0', '10.0.0.0/8:6379', 'x y:1', '::/32', '127.0.0.1:70000', '10.0.0.0/24,0.0.0.0/0'])(
  'confirming %j is refused, and says what an entry looks like',
  async (entry) => {
    const rogue = await rogueCluster();
    const refused = registerInstance(LOCAL_ADMIN, clusterAt(rogue, { destinations: [entry] }));
    await expect(refused).rejects.toMatchObject({ code: 'bad_request', details: { field: 'destinations' } });
  },
);

it('the command line names what is missing, and connects to it once it is given', async () => {
  const rogue = await rogueCluster();
  const scan = (confirmed: string[]) =>
    scanToFolder({
      input: clusterAt(rogue),
      options: ScanOptions.parse({ speed: 'fast' }),
      dir: freshFolder(),
      allowedDestinations: [],
      confirmedAddresses: confirmed,
      signal: new AbortController().signal,
      shouldStop: () => false,
      retryForMs: 0,
      onReport: () => {},
    });
  await expect(scan([])).rejects.toMatchObject({
    code: 'destination_unconfirmed',
    message: expect.stringContaining(`--allow ${victim.address}`),
  });
  expect(victim.connections).toBe(0);
  await scan(['127.0.0.0/24']).catch(() => {});
  expect(victim.connections).toBeGreaterThan(0);
});

/** Starts a Sentinel whose announced master can be changed. */
async function fickleSentinel(first: { host: string; port: number }) {
  let master = first;
  const rogue = await startRogue(([name = '', sub = '']) => {
    if (name === 'PING') return '+PONG\r\n';
    if (name === 'CLIENT' || name === 'AUTH') return '+OK\r\n';
    if (name === 'INFO') return bulk('redis_version:7.0.15\r\nredis_mode:sentinel\r\n');
    if (name === 'SENTINEL' && /get-master/i.test(sub)) return array([bulk(master.host), bulk(String(master.port))]);
    if (name === 'SENTINEL') return array([]);
    return name === 'HELLO' ? '-NOPROTO\r\n' : '-ERR unknown command\r\n';
  });
  stops.push(rogue.stop);
  return { ...rogue, announce: (place: { host: string; port: number }) => (master = place) };
}

it('a deletion and its undo wait while a Sentinel names a stranger, and go on once the address is confirmed', async () => {
  const home = await startRedis();
  stops.push(home.stop);
  const heir = await startReplica(home);
  stops.push(heir.stop);
  const sentinel = await fickleSentinel(home);
  const stand = await openStand(sentinel as never, { topology: 'sentinel', sentinelName: 'main' }, true, false);
  stops.push(() => stand.close());
  const confirm = (address: string) =>
    changeDestinations(LOCAL_ADMIN, stand.instanceId, change({ confirm: [address] }));
  await confirm(home.address);
  const client = home.client();
  await client.rpush('list', ...Array.from({ length: 500 }, (_, i) => `e${i}`));
  const asking = heir.client();
  await until('the replica to follow', async () => (await asking.llen('list')) === 500);
  const id = await stand.plan([{ name: 'list', type: 'list', length: 500 }], { mode: 'archive' });
  sentinel.announce(victim);
  const waits = async (jobId: string) => {
    await until(
      'the job to wait',
      async () => (await getStoredJob(jobId))?.job.reason?.code === 'destination_unconfirmed',
    );
    expect((await getStoredJob(jobId))?.job).toMatchObject({
      state: 'waiting',
      reason: { params: { address: victim.address } },
    });
  };
  const run = await stand.start(id);
  await waits(run);
  expect(victim.connections).toBe(0);
  // A real failover: the former replica becomes master and is confirmed.
  await heir.client().call('REPLICAOF', 'NO', 'ONE');
  sentinel.announce(heir);
  await confirm(heir.address);
  await stand.until(run, ['succeeded']);
  expect(await heir.client().exists('list')).toBe(0);
  sentinel.announce(victim);
  const undo = await stand.start(id, 'undo');
  await waits(undo);
  sentinel.announce(heir);
  await stand.until(undo, ['succeeded']);
  expect(await heir.client().llen('list')).toBe(500);
  expect(victim.connections).toBe(0);
});
