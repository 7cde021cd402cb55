import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import Database from 'better-sqlite3';
import { seedStandalone } from '../scripts/seed/seed.mjs';
import { ALL, BODIES, lowestRole, OPEN, PERMISSIONS_WITHOUT_TOKENS } from '../test/access/route-needs';
import { LONG } from '../test/long-form.mjs';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { registerAndScan } from './fixtures';
import { Stage } from './stage';

/**
 * Runs the production build without its proxy (its manifest says there is none, as if proxy.ts had been removed) and
 * without the request filter. Every page and route in the folders is requested by every caller without the right, in the
 * forms and with the headers that have bypassed servers of this kind before: nobody gets anything. Only the verb is
 * left to refuse.
 */
const root = join(import.meta.dirname, '..');
const CANARY = 'canary-7f3a';
/** The name of a user: administrators see the list of users, viewers see their actions in the audit log. */
const PERSON = 'canary-5d1e';
const PASSWORD = 'correct horse battery';
const ROLES = ['none', 'viewer', 'operator', 'admin'] as const;
type Role = (typeof ROLES)[number];

interface Bare {
  folder: string;
  server: string;
  /** A script that is loaded before the server. */
  preload: string;
}
/** Copies the build, with its command next to it as in the image; the packages are the same. */
function withoutProxy(): Bare {
  const folder = mkdtempSync(join(tmpdir(), 'colonnade-no-proxy-'));
  const built = join(root, '.next/standalone');
  for (const name of readdirSync(built))
    if (name === 'node_modules') symlinkSync(join(built, name), join(folder, name));
    else cpSync(join(built, name), join(folder, name), { recursive: true, verbatimSymlinks: false });
  const manifest = join(folder, '.next/server/functions-config-manifest.json');
  const config = JSON.parse(readFileSync(manifest, 'utf8')) as { functions: Record<string, unknown> };
  expect(Object.keys(config.functions)).toContain('/_middleware');
  delete config.functions['/_middleware'];
  writeFileSync(manifest, JSON.stringify(config));
  const isCommand = (name: string) => /^colonnade(-part-\w+)?\.mjs$/.test(name);
  for (const name of readdirSync(join(root, 'dist')).filter(isCommand))
    cpSync(join(root, 'dist', name), join(folder, name));
  // Marks every server as one that already has the request filter, so that none is added.
  const marks = "require('node:http').Server.prototype[Symbol.for('colonnade.request-filter')] = true;\n";
  writeFileSync(join(folder, 'bare.cjs'), marks);
  return { folder, server: join(folder, 'colonnade.mjs'), preload: join(folder, 'bare.cjs') };
}

let bare: Bare;
let stage: Stage;
let redis: RedisServer;
const there: Record<string, string> = {};
interface Who {
  name: string;
  cookie: string;
  token?: string;
  /** The role for the instance; null: the caller has none, because nobody is signed in. */
  role: Role | null;
}
const people: Who[] = [];

async function signedIn(name: string, role: Role, grants: object[] = []): Promise<{ id: string; cookie: string }> {
  const { user, link } = await stage.ask<{ user: { id: string }; link: { token: string } }>('POST', '/api/users', {
    name,
    role,
    grants,
  });
  return { id: user.id, cookie: await opened(link.token) };
}
async function opened(token: string, name?: string): Promise<string> {
  const answer = await stage.send('POST', '/api/welcome', { token, password: PASSWORD, ...(name && { name }) }, '');
  expect(answer.status).toBeLessThan(300);
  return readCookie(answer);
}
const readCookie = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
const byHand = (sql: string) => {
  const raw = new Database(join(stage.folder, 'colonnade.db'));
  raw.exec(sql);
  raw.close();
};

test.beforeAll(async () => {
  bare = withoutProxy();
  [stage, redis] = await Promise.all([
    Stage.open(
      { COLONNADE_SINGLE_USER: '', COLONNADE_JOBS: '2', NODE_OPTIONS: `--require ${bare.preload}` },
      bare.server,
    ),
    startRedis(),
  ]);
  await seedStandalone(redis.port, { keys: 500 });
  const link = /welcome#(\S+)/.exec(stage.output)?.[1] ?? '';
  stage.cookie = await opened(link, 'ada');
  const endpoints = [{ host: '127.0.0.1', port: redis.port }];
  const scanned = await registerAndScan(stage, { name: CANARY, topology: 'standalone', endpoints, tags: ['here'] });
  there.instances = scanned.id;
  there.snapshots = scanned.snapshotId;
  there.jobs = (await stage.ask<{ jobs: { id: string }[] }>('GET', '/api/jobs')).jobs[0]?.id ?? '';
  const { plan } = await stage.ask<{ plan: { id: string } }>('POST', '/api/deletions/plans', {
    task: 'delete',
    instanceId: scanned.id,
    selection: { by: 'filter', snapshotId: scanned.snapshotId, filter: { prefix: 'mall:cart:' } },
    options: { mode: 'unlink' },
  });
  there.deletions = plan.id;
  there.plans = plan.id;

  const elsewhere = { kind: 'tag', value: 'elsewhere', role: 'admin' };
  for (const role of ROLES.slice(0, 3))
    people.push({ name: `a session of ${role}`, role, cookie: (await signedIn(`is-${role}`, role)).cookie });
  people.push({ name: 'another team', role: 'none', cookie: (await signedIn('other', 'none', [elsewhere])).cookie });
  people.push({ name: 'nobody', role: null, cookie: '' });
  people.push({ name: 'a forged session', role: null, cookie: `colonnade_${stage.port}=${'A'.repeat(43)}` });
  const expired = await signedIn('late', 'admin');
  people.push({ name: 'an expired session', role: null, cookie: expired.cookie });
  const gone = await signedIn('gone', 'admin');
  people.push({ name: 'a session that has ended', role: null, cookie: gone.cookie });
  await stage.ask('DELETE', `/api/users/${gone.id}/sessions`);
  there.users = expired.id;

  const makeToken = async (name: string, input: object) =>
    stage.ask<{ secret: string; token: { id: string } }>('POST', '/api/tokens', { name, days: 9, ...input });
  for (const role of ['viewer', 'operator'] as const)
    people.push({ name: `a token of ${role}`, role, cookie: '', token: (await makeToken(role, { role })).secret });
  const scoped = await makeToken('elsewhere', { role: 'none', grants: [elsewhere] });
  people.push({ name: 'a token of other instances', role: 'none', cookie: '', token: scoped.secret });
  const revoked = await makeToken('revoked', { role: 'admin' });
  await stage.ask('DELETE', `/api/tokens/${revoked.token.id}`);
  people.push({ name: 'a revoked token', role: null, cookie: '', token: revoked.secret });
  const late = await makeToken('late', { role: 'admin' });
  people.push({ name: 'an expired token', role: null, cookie: '', token: late.secret });
  byHand(`update sessions set expires_at = 1 where user_id = '${expired.id}';
    update api_tokens set expires_at = 1 where id = '${late.token.id}'`);
});
test.afterAll(async () => {
  await Promise.all([stage?.close(), redis?.stop()]);
  rmSync(bare.folder, { recursive: true, force: true });
});

const BYPASS: Record<string, string>[] = [
  {},
  { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy', 'x-middleware-next': '1', 'x-middleware-rewrite': '/' },
  { 'x-middleware-subrequest': 'src/middleware:src/middleware:src/middleware', 'x-nextjs-data': '1' },
  { rsc: '1', 'next-router-prefetch': '1', purpose: 'prefetch' },
  { rsc: '1', 'next-router-segment-prefetch': '/_tree', 'next-url': '/' },
  { 'x-original-url': '/api/health', 'x-rewrite-url': '/api/health', 'x-matched-path': '/sign-in' },
  { 'x-forwarded-host': '127.0.0.1', 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', 'x-user': 'admin' },
];

/**
 * Every caller sends a plain request. Callers that are refused for different reasons also send another form, each time
 * the next one; LONG=1: all forms.
 */
const EVERY_FORM = ['nobody', 'an expired session', 'a session of viewer', 'another team', 'a token of viewer'];
let turn = 0;
const formsFor = ({ name }: Who) => {
  if (!EVERY_FORM.includes(name)) return BYPASS.slice(0, 1);
  if (LONG) return BYPASS;
  // The number of callers and the number of forms have no common divisor, so every caller gets to each form.
  return [BYPASS[0]!, BYPASS[1 + (turn++ % (BYPASS.length - 1))]!];
};

const files = readdirSync(join(root, 'app'), { recursive: true, encoding: 'utf8' });
const buildAddress = (path: string) =>
  path
    .replace(/\/(\w+)\/\[id\]/, (_all, of: string) => `/${of}/${there[of] ?? 'nothere'}`)
    .replace('[report]', 'overview')
    .replace('[deletion]', there.deletions ?? 'x')
    .replace('[rule]', 'N8')
    .replace('[k]', 'YQ')
    .replace(/\[\w+\]/g, 'x');
/** app/api/access.test.ts compares these names with the routes. */
const routes = ALL.map((name) => {
  const [method, path] = name.replaceAll(/\{(\w+)\}/g, '[$1]').split(' ') as [string, string];
  return { name, method, path };
});

async function ask(method: string, path: string, who: Who, more: Record<string, string>, body?: unknown) {
  const own = { origin: stage.origin, 'x-colonnade': '1', 'content-type': 'application/json' };
  const by: Record<string, string> = who.token ? { authorization: `Bearer ${who.token}` } : own;
  // The request filter would set this header. Each caller and path gets another address, or the failures of all would be
  // counted together.
  const from = { 'x-colonnade-address': `${who.name} ${path}`.slice(0, 60) };
  const headers = { ...own, ...by, ...from, ...(who.cookie && { cookie: who.cookie }), ...more };
  const sent = method === 'GET' || method === 'HEAD' ? {} : { body: JSON.stringify(body ?? {}) };
  const send = (address: string) =>
    fetch(new URL(address, stage.origin), { method, headers, redirect: 'manual', ...sent });
  const first = await send(path);
  const again = first.headers.get('location') ?? '';
  // For requests like those of a page's router, Next first redirects to an address with its own parameter.
  const answer = first.status === 307 && again.includes('_rsc=') ? await send(again) : first;
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
  const text = isStream ? '' : await answer.text();
  if (isStream) await answer.body?.cancel();
  return { status: answer.status, text, headers: answer.headers };
}
/** Runs several requests at a time, because with one at a time the server is idle most of the time. */
async function inTurns<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const next = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await act(one);
  };
  await Promise.all([1, 2, 3, 4, 5, 6].map(next));
}
const mayNot = (name: string) =>
  people.filter(({ role, token }) => {
    if (role === null) return true;
    if (token && PERMISSIONS_WITHOUT_TOKENS.includes(name)) return true;
    return ROLES.indexOf(role) < ROLES.indexOf(lowestRole(name));
  });

test('there is neither proxy nor request filter', async () => {
  const answer = await fetch(`${stage.origin}/account`, { redirect: 'manual' });
  // With the proxy there would be a redirect to sign in, and a policy with a nonce.
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-security-policy')).toBeNull();
});

test('no route answers anybody who may not', async () => {
  test.setTimeout(600_000);
  expect(routes.length).toBeGreaterThan(80);
  const closed = routes.filter(({ name }) => !OPEN.includes(name) && name !== 'GET /metrics');
  const asked = closed.flatMap((route) =>
    mayNot(route.name).flatMap((who) => formsFor(who).map((headers) => ({ ...route, who, headers }))),
  );
  expect(asked.length).toBeGreaterThan(LONG ? 2500 : 1200);
  const letIn: string[] = [];
  await inTurns(asked, async ({ name, method, path, who, headers }) => {
    const { status, text } = await ask(method, buildAddress(path), who, headers, BODIES[name]);
    // Routes of the API do not know the router's parameter.
    const refusals = headers.rsc === undefined ? [403, 404] : [400, 403, 404];
    const isRefused = (who.role === null ? [401, 429] : refusals).includes(status);
    if (!isRefused || text.includes(CANARY)) letIn.push(`${name} ${who.name} ${JSON.stringify(headers)} ${status}`);
  });
  expect(letIn).toEqual([]);
  const gets = asked.filter(({ method, headers }) => method === 'GET' && (LONG || headers === BYPASS[0]));
  await inTurns(gets, async ({ name, path, who, headers }) => {
    // The next test covers OPTIONS.
    for (const other of LONG ? ['HEAD', 'OPTIONS'] : ['HEAD']) {
      const { status, text } = await ask(other, buildAddress(path), who, headers);
      // The methods that an address allows are no secret.
      const isPlain = other === 'OPTIONS' && [204, 400, 405].includes(status) && text === '';
      if (!isPlain && status < 400) letIn.push(`${other} ${name} ${who.name} ${status} ${text.slice(0, 80)}`);
    }
  });
  expect(letIn).toEqual([]);
});

test('OPTIONS tells nobody anything, at no address, and lets no other site in', async () => {
  test.setTimeout(600_000);
  const pages = files
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) => `/${file.replace(/\/?page\.tsx$/, '')}`);
  const paths = [...new Set([...routes.map(({ path }) => path), ...pages, '/nothing', '/api/nothing', '/metrics'])];
  expect(paths.length).toBeGreaterThan(100);
  const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' };
  const ada: Who = { name: 'ada', role: 'admin', cookie: stage.cookie };
  // OPTIONS does not depend on the caller; LONG=1: every caller sends both requests to each address.
  const all = paths.flatMap((path, at) =>
    [...people, ada]
      .filter((_one, of) => LONG || of % 4 === at % 4)
      .flatMap((who, of) =>
        [{}, preflight]
          .filter((_headers, form) => LONG || form === of % 2)
          .map((headers) => ({ path: buildAddress(path), who, headers })),
      ),
  );
  const found: string[] = [];
  await inTurns(all, async ({ path, who, headers }) => {
    const answer = await ask('OPTIONS', path, who, headers);
    const opens = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
    // The methods that an address allows are no secret; the content of a page is.
    const isPlain = answer.status >= 400 || (answer.status === 204 && answer.text === '');
    const sees = who.role !== null && who.role !== 'none';
    if (!isPlain || opens.length > 0 || (!sees && answer.text.includes(CANARY)))
      found.push(`${path} ${who.name} ${answer.status} ${opens} ${answer.text.slice(0, 80)}`);
  });
  expect(found).toEqual([]);
});

test('asking for another protocol gets nobody anything', async () => {
  const upgraded = (path: string, cookie: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(stage.port, '127.0.0.1', () =>
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${stage.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
            `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nCookie: ${cookie}\r\n\r\n`,
        ),
      );
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(answer));
      socket.setTimeout(1_500, () => socket.destroy());
    });
  const answers = await Promise.all(
    ['/', '/jobs', '/sign-in', '/nothing', '/api/fleet', '/api/health', '/api/jobs/events', '/_next/hmr'].flatMap(
      (path) => ['', stage.cookie].map((cookie) => upgraded(path, cookie)),
    ),
  );
  // There is not even a status: Next closes the socket or does not answer; with the request filter the request is refused
  // (access.spec.ts).
  expect(new Set(answers)).toEqual(new Set(['']));
});

test('no page, in no form, tells anything of what one may not see', async () => {
  test.setTimeout(600_000);
  // The user is in the newest rows of the audit log, which the page shows first: the other tests add many rows.
  await signedIn(PERSON, 'none');
  const pages = files
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) => buildAddress(`/${file.replace(/\/?page\.tsx$/, '')}`));
  expect(pages.length).toBeGreaterThan(28);
  const blind = people.filter(({ role }) => role === null || role === 'none');
  const others = pages.flatMap((path) => [
    `${path}.rsc`,
    `${path}.segments/_tree.segment.rsc`,
    `/_next/data/x${path}.json`,
  ]);
  const all = [
    // Alternately as HTML and as router payload; LONG=1: both for every caller.
    ...pages.flatMap((page, at) =>
      people.flatMap((who, of) =>
        [page, `${page}?_rsc=1`]
          .filter((_path, way) => LONG || way === (at + of) % 2)
          .flatMap((path) => formsFor(who).map((headers) => ({ path, who, headers }))),
      ),
    ),
    // The other callers may see most of it, so only LONG=1 tests them.
    ...others.flatMap((path) => (LONG ? people : blind).map((who) => ({ path, who, headers: {} }))),
  ];
  const leaked: string[] = [];
  await inTurns(all, async ({ path, who, headers }) => {
    const { text } = await ask('GET', path, who, { accept: 'text/html', ...headers });
    const isBlind = blind.includes(who);
    const hidden = [...(isBlind ? [CANARY] : []), ...(isBlind || !path.startsWith('/audit') ? [PERSON] : [])];
    for (const canary of hidden)
      if (text.includes(canary)) leaked.push(`${path} ${who.name} ${JSON.stringify(headers)} ${canary}`);
  });
  expect(leaked).toEqual([]);
  // A caller with the right gets the content, which shows that the search works.
  const ada = { name: 'ada', role: 'admin', cookie: stage.cookie } as const;
  // A server that is still busy with all these requests includes only what is ready in time, so this retries.
  const html = (path: string) => async () => (await ask('GET', path, ada, { accept: 'text/html' })).text;
  await expect.poll(html('/')).toContain(CANARY);
  await expect.poll(html('/audit')).toContain(PERSON);
});
