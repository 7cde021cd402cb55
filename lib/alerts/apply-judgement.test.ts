import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { type AlertRule, AlertRuleInput } from '@/lib/model/alerts/alert';
import { ChannelInput } from '@/lib/model/alerts/channel';
import { putAlertRuleRow } from '@/lib/store/alerts/alert-rules';
import { getDelivery } from '@/lib/store/alerts/deliveries';
import { getDb, runTransaction } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { applyJudgement, type Judged, NO_FACTS } from './apply-judgement';
import { judgeByClock } from './keep-alerting';
import { acknowledgeAlert, addSilence, endSilence, listAlerts } from './manage-alerts';
import { addChannel } from './manage-channels';
import { updateAlertRule } from './manage-rules';
import { findNextMinute } from './outbox';

const NOON = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;
let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
  data = temporaryData();
});
afterEach(async () => {
  vi.useRealTimers();
  await data.remove();
});

const shop = { id: 'shop', name: 'shop' };
const channelInput = (name: string, more: Partial<ChannelInput> = {}) =>
  ChannelInput.parse({ name, kind: 'slack', isDefault: true, secrets: { url: 'https://hooks.example/x' }, ...more });

async function makeRule(more: Partial<AlertRuleInput> = {}): Promise<AlertRule> {
  const input = AlertRuleInput.parse({ name: 'rule', kind: 'newBigkey', ...more });
  const rule = { ...input, id: 'rule', updatedAt: NOON, updatedBy: 'test' };
  await runTransaction((tx) => putAlertRuleRow(rule, tx));
  return rule;
}
const bad = (key: string, more: Partial<Judged> = {}): Judged => ({
  ...{ key, subject: key, team: null, status: 'bad', mayBegin: true, facts: NO_FACTS },
  ...more,
});
const judge = (rule: AlertRule, snapshotId: string, judged: Judged[], isCut = false) =>
  runTransaction((tx) => applyJudgement({ rule, instance: shop, snapshotId, judged, isCut }, Date.now(), tx));
const states = async () => {
  const rows = await (await getDb(undefined)).selectFrom('alerts').selectAll().orderBy('id').execute();
  return rows.map(({ subject, state }) => `${subject} ${state}`);
};
const deliveries = async () => {
  const db = await getDb(undefined);
  const rows = await db.selectFrom('deliveries').selectAll().where('reason', '<>', 'test').orderBy('id').execute();
  return rows.map((row) => ({
    ...{ id: row.id, state: row.state, reason: row.reason, team: row.team, due: row.due_at - NOON },
    channel: row.channel_id,
    items: (JSON.parse(row.items) as { subject: string; isResolved: boolean }[]).map(
      (item) => `${item.isResolved ? '-' : '+'}${item.subject}`,
    ),
  }));
};

it('fires after N bad snapshots and ends after M good ones, however often one is judged', async () => {
  const rule = await makeRule({ forSnapshots: 2, clearSnapshots: 2 });
  await judge(rule, 's1', [bad('a')]);
  await judge(rule, 's1', [bad('a')]);
  expect(await states()).toEqual(['a pending']);
  await judge(rule, 's2', [bad('a')]);
  expect(await states()).toEqual(['a firing']);
  await judge(rule, 's3', []);
  await judge(rule, 's3', []);
  expect(await states()).toEqual(['a firing']);
  await judge(rule, 's4', [bad('a')]);
  await judge(rule, 's5', []);
  expect(await states()).toEqual(['a firing']);
  await judge(rule, 's6', []);
  expect(await states()).toEqual(['a resolved']);
});

it('forgets what was pending, and keeps what it cannot judge', async () => {
  const rule = await makeRule({ forSnapshots: 2 });
  await judge(rule, 's1', [bad('a'), bad('b')]);
  await judge(rule, 's2', [bad('b')]);
  expect(await states()).toEqual(['b firing']);
  await judge(rule, 's3', [bad('b', { status: 'hold' })]);
  await judge(rule, 's4', [], true);
  expect(await states()).toEqual(['b firing']);
});

it('begins no alert for what is not new, and ends one when there are no more than before', async () => {
  const rule = await makeRule({ kind: 'newRule' });
  const count = (keys: number, newKeys: number) =>
    bad('V1', { mayBegin: newKeys > 0, count: keys, facts: { ...NO_FACTS, value: newKeys, limit: keys - newKeys } });
  await judge(rule, 's1', [count(10, 0)]);
  expect(await states()).toEqual([]);
  await judge(rule, 's2', [count(13, 3)]);
  await judge(rule, 's3', [count(12, 0)]);
  expect(await states()).toEqual(['V1 firing']);
  await judge(rule, 's4', [count(10, 0)]);
  expect(await states()).toEqual(['V1 resolved']);
});

it('has at most 50 new alerts per snapshot, and says how many more there are', async () => {
  const rule = await makeRule();
  await judge(
    rule,
    's1',
    Array.from({ length: 120 }, (_, i) => bad(`key:${i}`)),
  );
  const { alerts } = await listAlerts(LOCAL_ADMIN, {});
  expect(alerts.length).toBe(51);
  expect(alerts.filter(({ facts }) => facts.more === 70).length).toBe(1);
});

it('collects the messages of a group, and keeps them apart by team', async () => {
  const own = await addChannel(LOCAL_ADMIN, channelInput('own', { isDefault: false, teams: ['Pay'] }));
  const rest = await addChannel(LOCAL_ADMIN, channelInput('rest'));
  const rule = await makeRule();
  await judge(rule, 's1', [bad('a'), bad('p', { team: 'pay' }), bad('o', { team: 'others' })]);
  const found = (await deliveries()).map(({ channel, team, items, due }) => ({ channel, team, items, due }));
  expect(found).toHaveLength(3);
  expect(found).toEqual(
    expect.arrayContaining([
      { channel: rest.id, team: null, items: ['+a'], due: 2 * MINUTE },
      { channel: own.id, team: 'pay', items: ['+p'], due: 2 * MINUTE },
      { channel: rest.id, team: 'others', items: ['+o'], due: 2 * MINUTE },
    ]),
  );
});

it('merges into a message that waits, and replaces one that was tried by another id', async () => {
  await addChannel(LOCAL_ADMIN, channelInput('one'));
  const rule = await makeRule();
  await judge(rule, 's1', [bad('a')]);
  vi.setSystemTime(NOON + MINUTE);
  await judge(rule, 's2', [bad('a'), bad('b')]);
  const [first] = await deliveries();
  expect(first).toMatchObject({ items: ['+a', '+b'], due: 2 * MINUTE });
  const db = await getDb(undefined);
  await db
    .updateTable('deliveries')
    .set({ tries: 1, tried_at: NOON + 2 * MINUTE, due_at: NOON + 3 * MINUTE })
    .execute();
  vi.setSystemTime(NOON + 3 * MINUTE);
  await judge(rule, 's3', [bad('b')]);
  const [replaced, second] = await deliveries();
  expect(replaced).toMatchObject({ id: first?.id, state: 'replaced', items: ['+a', '+b'] });
  expect(second).toMatchObject({ state: 'waiting', items: ['-a', '+b'], due: 3 * MINUTE });
  expect((await getDelivery(second!.id))?.tries).toBe(1);
  // While it is being sent, its content stays: what is new comes 15 minutes later.
  await db
    .updateTable('deliveries')
    .set({ leased_until: NOON + DAY })
    .execute();
  // Deliveries of one millisecond are in no order.
  vi.setSystemTime(NOON + 3 * MINUTE + 1);
  await judge(rule, 's4', []);
  expect((await deliveries()).at(-1)).toMatchObject({ items: ['-b'], due: 17 * MINUTE });
});

it('is silent while it is silenced, and speaks when that ends', async () => {
  await addChannel(LOCAL_ADMIN, channelInput('one'));
  const rule = await makeRule();
  const matcher = { ruleId: null, instanceId: 'shop', team: null, subject: 'a', reason: 'known' };
  const silence = await addSilence(LOCAL_ADMIN, { ...matcher, endsAt: NOON + DAY });
  await judge(rule, 's1', [bad('a:1')]);
  await judgeByClock(Date.now());
  expect(await deliveries()).toEqual([]);
  expect((await listAlerts(LOCAL_ADMIN, {})).alerts[0]?.silencedBy).toBe('known');
  await endSilence(LOCAL_ADMIN, silence.id);
  vi.setSystemTime(NOON + 1);
  await judgeByClock(Date.now());
  expect((await deliveries()).map(({ items }) => items)).toEqual([['+a:1']]);
  await expect(addSilence(LOCAL_ADMIN, { ...matcher, endsAt: NOON + 91 * DAY })).rejects.toMatchObject({
    code: 'bad_request',
  });
});

it('repeats each day until it is acknowledged, and says nothing when a rule is edited', async () => {
  await addChannel(LOCAL_ADMIN, channelInput('one'));
  const rule = await makeRule();
  await judge(rule, 's1', [bad('a')]);
  const db = await getDb(undefined);
  const sendAll = () => db.updateTable('deliveries').set({ state: 'sent', tried_at: Date.now() }).execute();
  await sendAll();
  vi.setSystemTime(NOON + DAY - 1);
  await judgeByClock(Date.now());
  expect((await deliveries()).length).toBe(1);
  vi.setSystemTime(NOON + DAY);
  await judgeByClock(Date.now());
  expect((await deliveries()).at(-1)).toMatchObject({ reason: 'repeat', items: ['+a'] });
  await sendAll();
  const [alert] = (await listAlerts(LOCAL_ADMIN, {})).alerts;
  expect(await acknowledgeAlert(LOCAL_ADMIN, alert!.id)).toMatchObject({ acknowledgedBy: LOCAL_ADMIN.name });
  vi.setSystemTime(NOON + 3 * DAY);
  await judgeByClock(Date.now());
  expect((await deliveries()).length).toBe(2);
  const { id: _, updatedAt: __, updatedBy: ___, ...input } = rule;
  await updateAlertRule(LOCAL_ADMIN, rule.id, { ...input, severity: 'info' });
  expect(await states()).toEqual(['a resolved']);
  expect((await deliveries()).length).toBe(2);
});

it('has useful rules with the first channel, and keeps what an administrator makes of them', async () => {
  await addChannel(LOCAL_ADMIN, channelInput('one'));
  await addChannel(LOCAL_ADMIN, channelInput('two'));
  const db = await getDb(undefined);
  const rules = await db.selectFrom('alert_rules').select('body').orderBy('id').execute();
  expect(rules.map(({ body }) => JSON.parse(body).kind)).toEqual([
    ...['newRule', 'newBigkey', 'scanFailed', 'notScanned', 'stormAhead'],
  ]);
});

it('collects until the time of the digest in its zone', async () => {
  expect(findNextMinute(NOON, '09:00', 'Asia/Shanghai')).toBe(Date.UTC(2026, 5, 2, 1));
  expect(findNextMinute(NOON, '12:01', 'UTC')).toBe(NOON + MINUTE);
  // 02:30 does not exist in Berlin on this day.
  expect(findNextMinute(Date.UTC(2026, 2, 29, 0), '02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 30, 0, 30));
  await addChannel(LOCAL_ADMIN, channelInput('one', { digestAt: '18:00' }));
  await judge(await makeRule(), 's1', [bad('a')]);
  vi.setSystemTime(NOON + 60 * MINUTE);
  await judge(await makeRule(), 's2', [bad('a'), bad('b')]);
  expect(await deliveries()).toMatchObject([{ items: ['+a', '+b'], due: 360 * MINUTE }]);
});
