import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { seedStandalone } from '../scripts/seed/seed.mjs';
import { ALL } from '../test/access/route-needs';
import { IdentityProvider } from '../test/servers/identity-provider';
import { freePort, removeFolder, temporaryFolder } from '../test/servers/process';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { makeCertificates } from '../test/servers/tls';
import { canariesIn, canary, filesIn, pemLines } from './canary-forms';
import { registerAndScan, waitForJob } from './fixtures';
import { Stage } from './stage';

/**
 * Every secret that Colonnade gets is a text that can be searched for. After extensive use of the production server
 * (users, instances, scans, deletions, undo, failures, exports, a backup, a crash) it is in no file, response, page,
 * log line or process list, except once in the response that hands it out: a session in its cookie, a token when it is
 * created.
 */
const root = join(import.meta.dirname, '..');
const canaries: Record<string, string> = {
  'Redis password': canary('redis', 'x'),
  'wrong Redis password': canary('wrong'),
  'Sentinel password': canary('sentinel'),
  'password of the write user': canary('write', 'x'),
  'wrong password of the write user': canary('write'),
  'password of a person': canary('person'),
  'wrong password of a person': canary('guess'),
  'metrics token': randomBytes(24).toString('base64url'),
  'S3 access key': `AKIA${randomBytes(8).toString('hex').toUpperCase()}`,
  'S3 secret key': canary('s3', 'x'),
  key: randomBytes(32).toString('base64'),
  'former key': randomBytes(32).toString('base64'),
};
const VISIBLE = 'canary-that-may-be-seen';

const foundIn = (place: string, bytes: Buffer, except: string[] = []) => canariesIn(canaries, place, bytes, except);

let stage: Stage;
let redis: RedisServer;
let idp: IdentityProvider;
let settings: string;
const found: string[] = [];
const seen: { text: string; bytes: number } = { text: '', bytes: 0 };

/**
 * Sends a request as a user and searches the whole response; `gives` is the secret that this response is meant to
 * contain.
 */
async function see(
  method: string,
  path: string,
  body?: unknown,
  { gives = [] as string[], headers = {} as Record<string, string> } = {},
): Promise<{ status: number; text: string; cookie: string }> {
  const init = {
    method,
    redirect: 'manual' as const,
    headers: {
      origin: stage.origin,
      'x-colonnade': '1',
      'content-type': 'application/json',
      cookie: stage.cookie,
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const first = await fetch(new URL(path, stage.origin), init);
  const again = first.headers.get('location') ?? '';
  // For requests like those of a page's router, Next first redirects to an address with its own parameter.
  const asksAgain = first.status === 307 && again.includes('_rsc=');
  const answer = asksAgain ? await fetch(new URL(again, stage.origin), init) : first;
  const events = answer.headers.get('content-type')?.startsWith('text/event-stream');
  const bytes = events ? Buffer.alloc(0) : Buffer.from(await answer.arrayBuffer());
  if (events) await answer.body?.cancel();
  const [cookie = ''] = answer.headers.getSetCookie();
  const head = [...answer.headers].filter(([name]) => name !== 'set-cookie').flat();
  found.push(...foundIn(`${method} ${path}`, Buffer.concat([bytes, Buffer.from(head.join('\n'))]), gives));
  seen.text += bytes.includes(VISIBLE) ? `${method} ${path}\n` : '';
  seen.bytes += bytes.length;
  return { status: answer.status, text: bytes.toString(), cookie: cookie.split(';', 1)[0] ?? '' };
}
async function given<T>(...asked: Parameters<typeof see>): Promise<T> {
  const { status, text } = await see(...asked);
  if (status >= 300) throw new Error(`${asked[0]} ${asked[1]} answered ${status}: ${text.slice(0, 300)}`);
  return (text === '' ? null : JSON.parse(text)) as T;
}

test.beforeAll(async () => {
  settings = temporaryFolder('colonnade-canaries-');
  redis = await startRedis();
  await seedStandalone(redis.port, { keys: 3000 });
  await redis.client().config('SET', 'requirepass', canaries['Redis password'] ?? '');
  stage = await Stage.open(async (origin) => {
    idp = await IdentityProvider.start({ origin });
    canaries['OIDC client secret'] = idp.clientSecret;
    const corp = { id: 'corp', label: 'Corp', issuer: idp.issuer, clientId: 'colonnade', scopes: ['profile'] };
    const file = join(settings, 'oidc.json');
    writeFileSync(file, JSON.stringify({ providers: [{ ...corp, groups: [] }] }));
    return {
      COLONNADE_SINGLE_USER: '',
      COLONNADE_ORIGIN: origin,
      COLONNADE_OIDC: file,
      COLONNADE_OIDC_SECRET_CORP: idp.clientSecret,
      COLONNADE_LOG: 'trace',
      COLONNADE_KEY: canaries.key ?? '',
      COLONNADE_KEY_OLD: canaries['former key'] ?? '',
      COLONNADE_METRICS_TOKEN: canaries['metrics token'] ?? '',
      COLONNADE_SNAPSHOT_STORE: 's3://canaries/here',
      // Nothing listens there, so this tests what an unreachable object store leaves in the log.
      COLONNADE_S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      COLONNADE_S3_ACCESS_KEY: canaries['S3 access key'] ?? '',
      COLONNADE_S3_SECRET_KEY: canaries['S3 secret key'] ?? '',
      COLONNADE_AUDIT_OUTPUT: 'stdout',
    };
  });
});
test.afterAll(async () => {
  await Promise.all([stage?.close(), redis?.stop(), idp?.stop()]);
  removeFolder(settings);
});

const outputs: string[] = [];
const noteOutput = () => outputs.push(stage.output);

test('no secret is anywhere after a life of the server', async () => {
  test.setTimeout(480_000);
  // Users: the first administrator, a wrong password, a session, a token.
  const [, link = ''] = /welcome#(\S+)/.exec(stage.output) ?? [];
  const password = canaries['password of a person'];
  await given('POST', '/api/welcome', { token: link, password, name: 'ada' });
  await see('POST', '/api/session', { name: 'ada', password: canaries['wrong password of a person'] });
  await see('POST', '/api/session', { name: canaries['wrong password of a person'], password: 'too short' });
  const signedIn = await see('POST', '/api/session', { name: 'ada', password });
  stage.cookie = signedIn.cookie;
  canaries.session = signedIn.cookie.split('=').slice(1).join('=');
  expect(canaries.session.length).toBeGreaterThan(40);
  const token = await see('POST', '/api/tokens', { name: 'of ada', role: 'admin', days: 9 }, { gives: ['token'] });
  canaries.token = (JSON.parse(token.text) as { secret: string }).secret;
  // An invited person gets a link, which is in one response only; the link of the first user is printed in the
  // terminal.
  const invited = await see('POST', '/api/users', { name: 'eve', role: 'viewer', grants: [] });
  canaries['one-time link'] = (JSON.parse(invited.text) as { link: { token: string } }).link.token;
  canaries['first link'] = link;
  await see('POST', '/api/welcome', { token: canaries['one-time link'], password: 'too short' });
  await see('GET', '/api/instances', undefined, {
    headers: { authorization: `Bearer ${canaries.token}x`, cookie: '' },
  });
  await see('GET', '/metrics', undefined, { headers: { authorization: `Bearer ${canaries['metrics token']}x` } });

  // Instances: a valid one, one with a wrong password, and a Sentinel and a TLS key for servers that do not exist.
  const endpoints = [{ host: '127.0.0.1', port: redis.port }];
  const secrets = { password: canaries['Redis password'] };
  const mall = { name: VISIBLE, topology: 'standalone', endpoints, secrets, readOnly: false };
  const scanned = await registerAndScan(stage, mall);
  await see('POST', '/api/instances/test', mall);
  await see('POST', '/api/instances/test', { ...mall, secrets: { password: canaries['wrong Redis password'] } });
  await see('POST', '/api/instances', { ...mall, port: 1, secrets: { ...secrets, passwort: secrets.password } });
  await see('POST', '/api/instances', { ...mall, secrets: secrets.password });
  const certificates = await makeCertificates();
  for (const [index, line] of pemLines(certificates.clientKey).entries()) canaries[`TLS key, line ${index}`] = line;
  const nowhere = {
    name: 'nowhere',
    topology: 'sentinel',
    sentinelName: 'orders',
    endpoints: [{ host: '127.0.0.1', port: await freePort() }],
    tls: { enabled: true, cert: certificates.clientCert, ca: certificates.ca },
    secrets: { sentinelPassword: canaries['Sentinel password'], tlsKey: certificates.clientKey },
  };
  const { instance } = await given<{ instance: { id: string } }>('POST', '/api/instances', nowhere);
  await see('POST', '/api/instances/test', { ...nowhere, instanceId: instance.id });
  await see('POST', `/api/instances/${instance.id}/scans`, { speed: 'fast' });
  await see('PATCH', `/api/instances/${scanned.id}`, { endpoints: nowhere.endpoints });
  await see('PATCH', `/api/instances/${scanned.id}`, { secrets });

  // A write user, whose password is wrong at first.
  const writer = { username: 'writer', password: canaries['password of the write user'] };
  const admin = redis.client({ password: canaries['Redis password'] ?? '' });
  await admin.call('ACL', 'SETUSER', 'writer', 'on', `>${writer.password}`, '~*', '+@all');
  const changes = `/api/instances/${scanned.id}/write-user`;
  await see('PUT', changes, { ...writer, password: canaries['wrong password of the write user'] });
  await see('PUT', changes, { ...writer, passwort: writer.password });
  await see('PUT', changes, writer);
  await see('DELETE', changes);
  await given('PUT', changes, writer);

  // A deletion with an archive, and its undo.
  const selection = { by: 'filter', snapshotId: scanned.snapshotId, filter: { prefix: 'mall:cart:' } };
  const request = { task: 'delete', instanceId: scanned.id, selection, options: { mode: 'archive' } };
  const { plan } = await given<{ plan: { id: string; phrase: string; consents: string[] } }>(
    'POST',
    '/api/deletions/plans',
    request,
  );
  const started = await given<{ deletion: { job: { id: string } } }>('POST', '/api/deletions', {
    planId: plan.id,
    confirm: plan.phrase,
    consents: plan.consents,
  });
  await waitForJob(stage, started.deletion.job.id, ['succeeded']);
  const undone = await given<{ deletion: { job: { id: string } } }>('POST', `/api/deletions/${plan.id}/undo`, {});
  await waitForJob(stage, undone.deletion.job.id, ['succeeded']);

  // Every page as HTML and as router payload, and every GET route.
  const jobId = started.deletion.job.id;
  const places: Record<string, string> = {
    instances: scanned.id,
    snapshots: scanned.snapshotId,
    jobs: jobId,
    deletions: plan.id,
    plans: plan.id,
  };
  const pages = readdirSync(join(root, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) => `/${file.replace(/\/?page\.tsx$/, '')}`);
  const routes = ALL.filter((name) => name.startsWith('GET ')).map((name) =>
    name.slice(4).replaceAll(/\{(\w+)\}/g, '[$1]'),
  );
  const addresses = [...pages, ...routes].map((address) =>
    address
      .replace(/\/(\w+)\/\[id\]/, (_all, of: string) => `/${of}/${places[of] ?? 'nothere'}`)
      .replace('[report]', 'overview')
      .replace('[deletion]', plan.id)
      .replace('[rule]', 'N8')
      .replace('[k]', 'YQ')
      .replace(/\[\w+\]/g, 'x'),
  );
  expect(addresses.length).toBeGreaterThan(70);
  for (const address of addresses) {
    await see('GET', address);
    if (address.startsWith('/api/') || address === '/metrics') continue;
    const { text } = await see('GET', address, undefined, { headers: { rsc: '1' } });
    expect(text, `the payload of ${address}`).not.toContain('<html');
  }
  await see('GET', `/instances/${instance.id}/edit`);
  await see('GET', '/api/audit-log/export?format=csv');
  await see('GET', '/api/audit-log/export?format=jsonl');
  await see('GET', `/api/deletions/${plan.id}/archive`);
  await see('GET', `/api/snapshots/${scanned.snapshotId}/keys?format=jsonl`);
  // The search would find a secret that is really there.
  expect(seen.text).toContain('GET /\n');
  expect(seen.text).toContain('GET /api/instances\n');
  expect(seen.bytes).toBeGreaterThan(500_000);

  // Other users of this machine see the command lines of the server and of the processes it starts.
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`);
      // The test's own Redis got its password by CONFIG SET, so it is not in a command line.
      found.push(...foundIn(`the command line of ${pid}`, line));
    } catch {}

  // Backups of everything, and a crash.
  const backup = join(settings, 'backup');
  mkdirSync(backup);
  const said = execFileSync(
    process.execPath,
    [join(root, 'dist/colonnade.mjs'), 'backup', join(backup, 'all'), '--with', 'archives,snapshots'],
    { env: { ...process.env, COLONNADE_DATA: stage.folder, COLONNADE_KEY: canaries.key }, encoding: 'utf8' },
  );
  found.push(...foundIn('what the backup said', Buffer.from(said)));
  noteOutput();
  await stage.end('SIGKILL');
  await stage.start();
  await given('GET', `/api/instances/${scanned.id}`);
  noteOutput();
  await stage.end('SIGTERM');

  const logged = outputs.map((text) => text.replace(`/welcome#${link}`, ''));
  found.push(...logged.flatMap((text, index) => foundIn(`output ${index}`, Buffer.from(text))));
  expect(outputs[0]).toContain('snapshot_store_away');
  const files = [...filesIn(stage.folder), ...filesIn(backup)];
  expect(files.length).toBeGreaterThan(8);
  expect(files.some((file) => readFileSync(file).includes(VISIBLE))).toBe(true);
  for (const file of files) found.push(...foundIn(file, readFileSync(file)));
  expect(found).toEqual([]);
});
