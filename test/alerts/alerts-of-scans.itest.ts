import { afterAll, beforeAll, expect, it } from 'vitest';
import { handleAlertEvent } from '@/lib/alerts/handle-events';
import { acknowledgeAlert, listAlerts } from '@/lib/alerts/manage-alerts';
import { addChannel } from '@/lib/alerts/manage-channels';
import { addAlertRule } from '@/lib/alerts/manage-rules';
import { handleEvents } from '@/lib/jobs/events/read-events';
import { createRunner, type Runner } from '@/lib/jobs/loop/runner';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { AlertRuleInput } from '@/lib/model/alerts/alert';
import { ChannelInput } from '@/lib/model/alerts/channel';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { addOwner } from '@/lib/policies/owners';
import { evaluateSoon } from '@/lib/rules/findings/evaluate-soon';
import { scanKind } from '@/lib/scans/scan-kind';
import { startScan } from '@/lib/scans/start-scan';
import { getStoredJob } from '@/lib/store/jobs';
import { getDb } from '@/lib/store/open-store';
import { register } from '@/test/jobs/fleet';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { pour, seedMixed } from '@/test/servers/seed';
import { temporaryData } from '@/test/temporary-data';

/** Alerts from scans of a Redis that changes. */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let runner: Runner;
let instanceId = '';
const { signal } = new AbortController();
beforeAll(async () => {
  data = temporaryData();
  redis = await startRedis();
  await seedMixed(redis.client(), 500);
  runner = createRunner({ kinds: [scanKind as never], concurrency: 1, tickMs: 100, pollMs: 50 });
  await runner.start();
  instanceId = (await register('shop', redis)).id;
  const secrets = { url: 'https://hooks.example/x' };
  const input = ChannelInput.parse({ name: 'one', kind: 'slack', isDefault: true, secrets });
  await addChannel(LOCAL_ADMIN, input);
  await addChannel(LOCAL_ADMIN, { ...input, name: 'pay', isDefault: false, teams: ['pay'] });
  await addOwner(LOCAL_ADMIN, { instanceId: null, prefix: 'pay', team: 'pay' });
});
afterAll(async () => {
  await runner.stop();
  await redis.stop();
  await data.remove();
});

async function scan(more: Partial<ScanOptions> = {}): Promise<void> {
  const job = await startScan(LOCAL_ADMIN, instanceId, ScanOptions.parse({ speed: 'fast', ...more }));
  await expect.poll(async () => (await getStoredJob(job.id))?.job.state).toMatch(/succeeded|failed/);
  await evaluateSoon(instanceId);
  // Twice, as after a crash: an event that is handled again changes nothing.
  const events = await (await getDb(undefined)).selectFrom('events').selectAll().execute();
  await handleEvents([handleAlertEvent], signal);
  const before = await openAlerts();
  if (events.length > 0) await (await getDb(undefined)).insertInto('events').values(events).execute();
  await handleEvents([handleAlertEvent], signal);
  expect(await openAlerts()).toEqual(before);
}
const openAlerts = async () =>
  (await listAlerts(LOCAL_ADMIN, {})).alerts.map(
    ({ kind, subject, team, state }) => `${kind} ${subject} ${team} ${state}`,
  );
const expectOpen = async (kind: string, lines: string[]) =>
  expect((await openAlerts()).filter((line) => line.startsWith(kind)).sort()).toEqual(lines.sort());

it('tells the team of a new bigkey, and that it is gone', async () => {
  await scan();
  // Sessions of this keyspace expire together.
  expect(await openAlerts()).toEqual(['stormAhead session: null firing']);
  const items = Array.from({ length: 6000 }, (_, i) => `i${i}`);
  await pour(redis.client(), [
    ['RPUSH', 'pay:<@all>', ...items],
    ['RPUSH', '键:大', ...items],
  ]);
  await scan();
  await expectOpen('newBigkey', ['newBigkey pay:<@all> pay firing', 'newBigkey 键:大 null firing']);
  const rules = (await openAlerts()).filter((line) => line.startsWith('newRule V3'));
  expect(rules.sort()).toEqual(['newRule V3 null firing', 'newRule V3 pay firing']);
  const [first] = (await listAlerts(LOCAL_ADMIN, {})).alerts;
  await acknowledgeAlert(LOCAL_ADMIN, first!.id);
  // A scan of a part says nothing about the rest.
  await scan({ match: 'user:' });
  await redis.client().call('DEL', 'pay:<@all>');
  await scan();
  await expectOpen('newBigkey', ['newBigkey 键:大 null firing']);
  await expectOpen('newRule V3', ['newRule V3 null firing']);
  const queued = await (await getDb(undefined)).selectFrom('deliveries').selectAll().execute();
  const messages = queued.flatMap((row) =>
    (JSON.parse(row.items) as { subject: string; isResolved: boolean }[]).map((item) => ({ ...item, team: row.team })),
  );
  expect(messages.find(({ subject }) => subject === 'pay:<@all>')).toMatchObject({ isResolved: true, team: 'pay' });
});

it('fires while a number is beyond its limit, and says ahead when keys expire together', async () => {
  const rule = { kind: 'threshold', metric: 'keys', limit: 600, clearAt: 550 };
  await addAlertRule(LOCAL_ADMIN, AlertRuleInput.parse({ ...rule, name: 'many keys' }));
  const at = Math.ceil(Date.now() / 60_000) * 60_000 + 7_200_000;
  await pour(
    redis.client(),
    Array.from({ length: 300 }, (_, i) => ['SET', `storm:${i}`, 'x', 'PXAT', `${at + i}`]),
  );
  await scan();
  await expectOpen('threshold', ['threshold  null firing']);
  await expectOpen('stormAhead storm:', ['stormAhead storm: null firing']);
  await redis.client().call('DEL', ...Array.from({ length: 220 }, (_, i) => `storm:${i}`));
  await scan();
  // Between the two limits it stays.
  await expectOpen('threshold', ['threshold  null firing']);
  await redis.client().call('DEL', ...Array.from({ length: 300 }, (_, i) => `storm:${i}`));
  await scan();
  await expectOpen('threshold', []);
  await expectOpen('stormAhead storm:', []);
});

it('says that a scan failed, and leaves the other alerts as they are', async () => {
  const before = await openAlerts();
  await redis.stop();
  await scan();
  expect((await openAlerts()).sort()).toEqual([...before, 'scanFailed  null firing'].sort());
});
