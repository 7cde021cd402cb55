import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { type AlertRule, AlertRuleInput } from '@/lib/model/alerts/alert';
import { ChannelInput } from '@/lib/model/alerts/channel';
import type { ChannelKind } from '@/lib/model/alerts/vocabulary';
import { putAlertRuleRow } from '@/lib/store/alerts/alert-rules';
import { getDb, runTransaction } from '@/lib/store/open-store';
import { SECRET, startReceivers, WEBHOOK_SECRET } from '@/test/servers/alert-receivers';
import { bundledProgram, WITH_PACKAGES } from '@/test/servers/bundled-program';
import { type MailSink, startMailSink } from '@/test/servers/mail-sink';
import { makeCertificates } from '@/test/servers/tls';
import { temporaryData } from '@/test/temporary-data';
import { applyJudgement, type Judged, NO_FACTS } from './apply-judgement';
import { deliverDue, refreshAlertmanagers } from './deliver';
import { judgeDestination } from './judge-destination';
import { addChannel, listChannels, listDeliveries, removeChannel, testChannel, updateChannel } from './manage-channels';
import { postJson } from './send-http';

const MINUTE = 60_000;
const { signal } = new AbortController();
let data: ReturnType<typeof temporaryData>;
let stand: Awaited<ReturnType<typeof startReceivers>>;
const children: ChildProcess[] = [];
beforeEach(async () => {
  data = temporaryData();
  stand = await startReceivers();
  vi.stubEnv('COLONNADE_NOTIFY', '127.0.0.1');
  vi.stubEnv('COLONNADE_ORIGIN', 'https://colonnade.example');
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await stand.close();
  await data.remove();
});

const shop = { id: 'shop', name: 'shop' };
const PATHS: Partial<Record<ChannelKind, string>> = {
  dingtalk: '/dingtalk/robot/send?access_token=token',
  feishu: '/feishu/open-apis/bot/v2/hook/ID',
  wecom: '/wecom/cgi-bin/webhook/send?key=key',
  slack: '/slack',
  webhook: '/webhook',
  alertmanager: '/alertmanager',
};
const secretOf = (kind: ChannelKind) =>
  kind === 'webhook' ? WEBHOOK_SECRET : kind === 'dingtalk' || kind === 'feishu' ? SECRET : undefined;
const add = (kind: ChannelKind, more: Partial<ChannelInput> = {}) =>
  addChannel(
    LOCAL_ADMIN,
    ChannelInput.parse({
      ...{ name: kind, kind, isDefault: true },
      secrets: { url: `${stand.origin}${PATHS[kind]}`, secret: secretOf(kind) },
      ...more,
    }),
  );
async function makeRule(): Promise<AlertRule> {
  const input = AlertRuleInput.parse({ name: 'new bigkeys', kind: 'newBigkey' });
  const rule = { ...input, id: 'rule', updatedAt: 0, updatedBy: 'test' };
  await runTransaction((tx) => putAlertRuleRow(rule, tx));
  return rule;
}
const bad = (subject: string, team: string | null = null): Judged => ({
  ...{ key: subject, subject, team, status: 'bad', mayBegin: true, facts: { ...NO_FACTS, value: 123_456 } },
});
const judge = (rule: AlertRule, snapshotId: string, judged: Judged[]) =>
  runTransaction((tx) => applyJudgement({ rule, instance: shop, snapshotId, judged }, Date.now(), tx));
/** Moves the clock and delivers what is due then. */
const deliverAfter = async (ms: number) => {
  vi.setSystemTime(Date.now() + ms);
  await deliverDue(signal);
};
const startClock = () => vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });

const HOSTILE = [
  ...[
    '<@all>',
    '<at id=all></at>',
    '<!channel>',
    '@here',
    '![x](http://127.0.0.1/x.png)',
    'a\r\nBcc: eve@evil.example',
  ],
  ...['*b* `c` ~d~ | # e', '\u202egnp', '{"a":1}', '键'.repeat(80), 'x'.repeat(5000)],
];

describe('every kind of channel', () => {
  it.each(Object.keys(PATHS) as ChannelKind[])(
    '%s: signs, keeps the size, and lets no name mention or load',
    async (kind) => {
      startClock();
      await add(kind);
      const rule = await makeRule();
      await judge(
        rule,
        's1',
        [...HOSTILE, ...Array.from({ length: 39 }, (_, i) => `k:${i}:${'名'.repeat(60)}`)].map((name) => bad(name)),
      );
      await deliverAfter(2 * MINUTE);
      await judge(rule, 's2', []);
      await deliverAfter(15 * MINUTE);
      expect(stand.accepted.map(({ path }) => path.split('/')[1])).toEqual([kind, kind]);
      const [fired, resolved] = stand.accepted;
      const shown = kind === 'webhook' || kind === 'alertmanager' ? '' : (fired?.text ?? '');
      expect(shown).not.toMatch(/<@|<at|<!|@here|!\[|\]\(|eve@|http:/);
      expect(shown).not.toMatch(/\u202e/);
      const all = stand.accepted.map(({ text }) => text).join();
      expect(all).toContain('new bigkey');
      if (kind === 'wecom' || kind === 'slack') expect(all).toMatch(/\+\d+ more/);
      if (kind === 'alertmanager') {
        expect(fired?.body.every((one: { endsAt?: string }) => one.endsAt === undefined)).toBe(true);
        expect(resolved?.body.every((one: { endsAt?: string }) => one.endsAt !== undefined)).toBe(true);
        expect(resolved?.body[0].labels).toEqual(fired?.body[0].labels);
      } else {
        expect(resolved?.text).toMatch(/resolved/);
      }
    },
  );
});

it('reads the code in the body: a robot refuses with HTTP 200', async () => {
  startClock();
  const made = await add('dingtalk', { secrets: { url: `${stand.origin}${PATHS.dingtalk}`, secret: 'SECwrong' } });
  await testChannel(LOCAL_ADMIN, made.id);
  await deliverDue(signal);
  expect(stand.accepted).toEqual([]);
  expect(await listDeliveries(LOCAL_ADMIN, made.id)).toMatchObject([
    { reason: 'test', state: 'failed', tries: 1, lastCode: '310000', lastText: 'sign not match' },
  ]);
  expect((await listChannels(LOCAL_ADMIN))[0]).toMatchObject({ failingSince: Date.now(), shownSecret: '…rong' });
});

it('sends no more than the robot takes, and the rest in the next minute', async () => {
  startClock();
  const { id } = await add('wecom');
  for (let i = 0; i < 25; i++) await testChannel(LOCAL_ADMIN, id);
  await deliverDue(signal);
  expect(stand.asked.length).toBeLessThanOrEqual(20);
  await deliverAfter(MINUTE + 1);
  expect(stand.accepted.length).toBe(25);
});

it('tries again for hours with one id, and loses and doubles nothing', async () => {
  startClock();
  await add('webhook');
  const rule = await makeRule();
  stand.down = 503;
  await judge(rule, 's1', [bad('a')]);
  const began = Date.now();
  await deliverAfter(2 * MINUTE);
  expect(stand.asked.length).toBe(1);
  let snapshots = 0;
  while (Date.now() < began + 6 * 60 * MINUTE) {
    await deliverAfter(5 * MINUTE);
    if (snapshots++ === 3) await judge(rule, 's2', [bad('a'), bad('b')]);
  }
  expect(stand.asked.length).toBeGreaterThan(3);
  expect(stand.asked.length).toBeLessThan(7);
  stand.down = null;
  for (let i = 0; i < 100; i++) await deliverAfter(5 * MINUTE);
  const alerts = stand.accepted.flatMap(({ body }) =>
    body.data.alerts.map(({ subject }: { subject: string }) => subject),
  );
  expect(alerts.sort()).toEqual(['a', 'b']);
  const ids = stand.accepted.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(ids.length);
});

it('gives a message that a channel refuses to the default channel, and hides the address from the log', async () => {
  startClock();
  const wrong = { url: `${stand.origin}/nowhere/of-secret-token?key=abcdefgh`, secret: WEBHOOK_SECRET };
  const own = await add('webhook', { name: 'own', isDefault: false, teams: ['pay'], secrets: wrong });
  await add('slack');
  await judge(await makeRule(), 's1', [bad('a', 'Pay')]);
  await deliverAfter(2 * MINUTE);
  const [failed] = await listDeliveries(LOCAL_ADMIN, own.id);
  expect(failed).toMatchObject({ state: 'failed', lastCode: 'HTTP 404' });
  expect(failed?.lastText).toContain('echo ?key=…');
  expect(stand.accepted.map(({ body }) => body.text)).toEqual([
    expect.stringContaining('not delivered by its own channel'),
  ]);
});

it('signs with two secrets while a webhook changes over', async () => {
  const made = await add('webhook');
  const next = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const input = ChannelInput.parse({ name: 'webhook', kind: 'webhook', secrets: { secret: next } });
  const changed = await updateChannel(LOCAL_ADMIN, made.id, input);
  expect(changed.shownUrl).toBe(made.shownUrl);
  await testChannel(LOCAL_ADMIN, made.id);
  await deliverDue(signal);
  expect(String(stand.accepted[0]?.headers['webhook-signature']).split(' ').length).toBe(2);
});

it('sends an Alertmanager each minute what fires, in the way in which it was sent first', async () => {
  startClock();
  await add('alertmanager');
  const rule = await makeRule();
  await judge(rule, 's1', [bad('a')]);
  await deliverDue(signal);
  for (let i = 0; i < 3; i++) {
    vi.setSystemTime(Date.now() + MINUTE);
    await refreshAlertmanagers(Date.now());
    await refreshAlertmanagers(Date.now());
  }
  expect(stand.accepted.length).toBe(4);
  expect(new Set(stand.accepted.map(({ text }) => text)).size).toBe(1);
});

it('removes what waits for a channel that is removed', async () => {
  const { id } = await add('slack');
  await testChannel(LOCAL_ADMIN, id);
  await removeChannel(LOCAL_ADMIN, id);
  expect(await deliverDue(signal)).toBe(0);
});

describe('a receiver', () => {
  it('that hangs, redirects or answers 1 GiB is a failure', async () => {
    const ask = (path: string) => postJson(`${stand.origin}${path}`, '{}', { timeoutMs: 300 });
    await expect(ask('/hang')).rejects.toMatchObject({ code: 'timeout', isFinal: false });
    await expect(ask('/redirect')).rejects.toMatchObject({ code: 'HTTP 302', isFinal: true });
    await expect(postJson(`${stand.origin}/huge`, '{}')).rejects.toMatchObject({ isFinal: false, message: /64 KiB/ });
    expect(stand.asked).toEqual(['/hang', '/redirect', '/huge']);
  });

  it('is judged by all of its addresses, however they are written', async () => {
    const judged = (host: string, addresses: string[] = []) =>
      judgeDestination(host, 443, async () => addresses.map((address) => ({ address })));
    const refused = { code: 'destination_refused', isFinal: true };
    expect(await judged('hooks.example', ['203.0.113.9'])).toMatchObject([{ address: '203.0.113.9', isListed: false }]);
    expect(await judged('127.0.0.1')).toMatchObject([{ isListed: true }]);
    for (const literal of [
      '169.254.169.254',
      '10.0.0.1',
      '127.0.0.2',
      '[::1]',
      '[fe80::1]',
      '[::ffff:10.0.0.1]',
      '0.0.0.0',
    ])
      await expect(judged(literal)).rejects.toMatchObject(refused);
    for (const literal of ['100.64.0.1', '2130706433', '0x7f.1', '[64:ff9b::a9fe:a9fe]'])
      await expect(judged(literal)).rejects.toMatchObject(refused);
    await expect(judged('sly.example', ['203.0.113.9', '169.254.169.254'])).rejects.toMatchObject(refused);
    await expect(judged('inner.example', ['203.0.113.9', '192.168.1.1'])).rejects.toMatchObject(refused);
    vi.stubEnv('COLONNADE_NOTIFY', '0.0.0.0/0');
    await expect(judged('sly.example', ['169.254.169.254'])).rejects.toMatchObject(refused);
  });

  it('is asked in plain http only if it is listed, and over TLS only if its certificate is trusted', async () => {
    await expect(postJson('http://203.0.113.9/', '{}')).rejects.toMatchObject({ code: 'destination_refused' });
    await expect(postJson('file:///etc/passwd', '{}')).rejects.toMatchObject({ code: 'destination_refused' });
    const server = createHttpsServer(await makeCertificates(), (_, response) => response.end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await expect(postJson(`https://127.0.0.1:${port}/`, '{}')).rejects.toMatchObject({
      code: 'SELF_SIGNED_CERT_IN_CHAIN',
    });
    server.close();
  });
});

describe('a process of its own', () => {
  async function startWorker(more: Record<string, string> = {}): Promise<ChildProcess> {
    const program = await bundledProgram('test/alerts/alerting-worker.ts', WITH_PACKAGES);
    const child = spawn(process.execPath, [program], {
      env: { ...process.env, COLONNADE_DATA: data.dir, NODE_OPTIONS: '', ...more },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    return child;
  }
  const makeDue = async () => {
    const db = await getDb(undefined);
    await db.updateTable('deliveries').set({ due_at: 0, leased_until: 0 }).where('state', '=', 'waiting').execute();
    await db.deleteFrom('settings').where('name', '=', 'alerts_sender').execute();
  };

  it('that is killed while it sends loses nothing: the next one sends the same id', async () => {
    const first = await add('webhook', { secrets: { url: `${stand.origin}/hang`, secret: WEBHOOK_SECRET } });
    await judge(await makeRule(), 's1', [bad('a')]);
    await makeDue();
    const child = await startWorker();
    await expect.poll(() => stand.asked).toEqual(['/hang']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const [before] = await listDeliveries(LOCAL_ADMIN, first.id);
    expect(before?.state).toBe('waiting');
    const input = ChannelInput.parse({ name: 'webhook', kind: 'webhook', isDefault: true });
    await updateChannel(LOCAL_ADMIN, first.id, { ...input, secrets: { url: `${stand.origin}/webhook` } });
    await makeDue();
    await startWorker();
    await expect.poll(() => stand.accepted.length).toBe(1);
    expect(stand.accepted[0]?.headers['webhook-id']).toBe(before?.id);
    await expect.poll(async () => (await listDeliveries(LOCAL_ADMIN, first.id))[0]?.state).toBe('sent');
  });

  it('sends mail over TLS only, reads what was refused, and trusts a proxy with the host alone', async () => {
    const certificates = await makeCertificates();
    const ca = join(data.dir, 'ca.pem');
    writeFileSync(ca, certificates.ca);
    const sinks: MailSink[] = [await startMailSink(certificates), await startMailSink(null)];
    const smtp = (port: number, to: string[]) => ({
      ...{ host: '127.0.0.1', port, security: 'starttls' as const, user: 'colonnade', from: 'c@example.com', to },
    });
    const addMail = (name: string, sink: MailSink | undefined, to: string[]) =>
      add('smtp', { name, isDefault: false, smtp: smtp(sink?.port ?? 0, to), secrets: { secret: 'mail-password' } });
    const good = await addMail('good', sinks[0], ['ops@example.com']);
    const half = await addMail('half', sinks[0], ['ops@example.com', 'refused@example.com']);
    const plain = await addMail('plain', sinks[1], ['ops@example.com']);
    const connects: string[] = [];
    const server = createHttpsServer(certificates, (_, response) => response.end('ok'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const proxy = createHttpServer().on('connect', (request, socket: Socket) => {
      connects.push(`${request.url} ${request.headers['proxy-authorization']}`);
      // There is no name service here, so the proxy knows where the host is.
      const to = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      to.on('error', () => {});
      socket.on('error', () => {});
      to.pipe(socket).pipe(to);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const proxyPort = (proxy.address() as AddressInfo).port;
    const chat = await add('slack', { isDefault: false, secrets: { url: `https://chat.invalid:8443/x` } });
    for (const { id } of [good, half, plain, chat]) await testChannel(LOCAL_ADMIN, id);
    const named = await makeCertificates({ names: ['chat.invalid'], like: certificates });
    server.setSecureContext(named);
    await startWorker({
      NODE_EXTRA_CA_CERTS: ca,
      COLONNADE_NOTIFY_PROXY: `http://user:pass@127.0.0.1:${proxyPort}`,
    });
    const ended = async (id: string) => (await listDeliveries(LOCAL_ADMIN, id))[0];
    await expect.poll(async () => (await ended(chat.id))?.state).not.toBe('waiting');
    expect(await ended(chat.id)).toMatchObject({ state: 'sent', lastCode: null, lastText: null });
    expect(connects).toEqual([`chat.invalid:8443 Basic ${Buffer.from('user:pass').toString('base64')}`]);
    await expect.poll(async () => (await ended(good.id))?.state).toBe('sent');
    await expect.poll(async () => (await ended(half.id))?.state).toBe('failed');
    expect(await ended(half.id)).toMatchObject({
      lastCode: 'recipients',
      lastText: expect.stringContaining('refused@'),
    });
    await expect.poll(async () => (await ended(plain.id))?.state).toBe('failed');
    expect(sinks[0]?.mails).toMatchObject([{ encrypted: true }, { encrypted: true }]);
    expect(sinks[0]?.plain.join()).not.toMatch(/AUTH|MAIL/);
    expect(sinks[1]?.plain.join()).not.toMatch(/AUTH|MAIL/);
    for (const one of [server, proxy]) {
      one.closeAllConnections();
      one.close();
    }
    for (const sink of sinks) await sink.close();
  });
});
