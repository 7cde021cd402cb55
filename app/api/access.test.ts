import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sessionCookies } from '@/lib/http/access/session-cookie';
import type { RouteHandler } from '@/lib/http/handle';
import { registerInstance } from '@/lib/instances/register-instance';
import { createJob } from '@/lib/jobs/create-job';
import { type Grant, ROLES, type Role } from '@/lib/model/access';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { addExemption } from '@/lib/policies/exemptions';
import { addOwner } from '@/lib/policies/owners';
import { presets } from '@/lib/rules/profiles/presets';
import { dbOf } from '@/lib/store/open-store';
import { addUser } from '@/lib/users/add-user';
import { createToken } from '@/lib/users/create-token';
import { endUserSessions } from '@/lib/users/end-user-sessions';
import { revokeToken } from '@/lib/users/revoke-token';
import { signIn } from '@/lib/users/sign-in';
import { addTeam } from '@/lib/users/teams/edit-teams';
import { updateUser } from '@/lib/users/update-user';
import { useLink as openLink } from '@/lib/users/use-link';
import { temporaryData } from '@/test/temporary-data';

/**
 * Who gets in where: every route there is, found in the folders, asked by everybody there can be, straight at its
 * handler: nothing stands in front. What a route needs is written here once more, so that a slip in a declaration
 * shows; a route without a row fails.
 */
const app = new URL('..', import.meta.url).pathname;
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
const HOST = '127.0.0.1:3000';

const OPEN = [
  'GET /api/health',
  'GET /api/oidc',
  'POST /api/oidc/[id]',
  'GET /api/oidc/[id]/callback',
  'GET /api/session',
  'POST /api/session',
  'POST /api/welcome',
  'POST /api/welcome/check',
];
const LEAST: Record<Role, string[]> = {
  // One's own, the standards, and lists that hold what one may see.
  none: [
    'DELETE /api/session',
    'POST /api/session/confirm',
    'PUT /api/account/password',
    'GET /api/account/sessions',
    'DELETE /api/account/sessions/[id]',
    'GET /api/tokens',
    'POST /api/tokens',
    'DELETE /api/tokens/[id]',
    'GET /api/fleet',
    'GET /api/instances',
    'GET /api/jobs',
    'GET /api/jobs/events',
    'GET /api/deletions',
    'GET /api/exemptions',
    'GET /api/owners',
    'GET /api/teams',
    'GET /api/panic',
    'GET /api/profiles',
    'GET /api/profiles/[id]',
    'GET /api/profiles/[id]/export',
    'POST /api/profiles/check',
    'GET /api/rules',
    'GET /api/openapi.json',
  ],
  viewer: [
    'GET /api/instances/[id]/views',
    'POST /api/instances/[id]/views',
    'GET /api/views/[id]',
    'PATCH /api/views/[id]',
    'DELETE /api/views/[id]',
    'GET /api/audit-log',
    'GET /api/audit-log/choices',
    'GET /api/audit-log/export',
    'GET /api/deletions/[id]/items',
    'GET /api/deletions/[id]',
    'GET /api/deletions/[id]/server',
    'GET /api/deletions/plans/[id]',
    'GET /api/instances/[id]/audit',
    'GET /api/instances/[id]/checklist',
    'GET /api/instances/[id]/keys/[k]',
    'GET /api/instances/[id]/leftovers',
    'GET /api/instances/[id]/policy',
    'GET /api/instances/[id]',
    'GET /api/instances/[id]/server',
    'GET /api/instances/[id]/destinations',
    'GET /api/instances/[id]/snapshots',
    'GET /api/jobs/[id]/events',
    'GET /api/jobs/[id]',
    'GET /api/snapshots/[id]/keys',
    'GET /api/snapshots/[id]/reports/[report]',
    'GET /api/snapshots/[id]/reports/findings/[rule]',
    'GET /api/snapshots/[id]/reports/findings',
    'GET /api/snapshots/[id]',
  ],
  operator: [
    'GET /api/deletions/[id]/archive',
    'POST /api/deletions/[id]/approval/decision',
    'POST /api/deletions/[id]/approval',
    'DELETE /api/deletions/[id]/approval',
    'POST /api/deletions/[id]/panic',
    'POST /api/deletions/[id]/undo',
    'DELETE /api/deletions/plans/[id]',
    'POST /api/deletions/plans',
    'POST /api/deletions',
    'PUT /api/exemptions/[id]',
    'DELETE /api/exemptions/[id]',
    'POST /api/exemptions',
    'PUT /api/instances/[id]/checklist',
    'POST /api/instances/[id]/keys/[k]/value',
    'POST /api/instances/[id]/leftovers',
    'POST /api/instances/[id]/scans',
    'POST /api/jobs/[id]/cancel',
    'POST /api/jobs/[id]/pause',
    'POST /api/jobs/[id]/resume',
    'PATCH /api/jobs/[id]',
    'PUT /api/owners/[id]',
    'DELETE /api/owners/[id]',
    'POST /api/owners',
    'POST /api/panic',
    'DELETE /api/snapshots/[id]',
  ],
  admin: [
    'POST /api/instances',
    'POST /api/instances/test',
    'PATCH /api/instances/[id]',
    'DELETE /api/instances/[id]',
    'POST /api/instances/[id]/give-up',
    'POST /api/instances/[id]/destinations',
    'PUT /api/instances/[id]/policy',
    'POST /api/deletions/[id]/server',
    'DELETE /api/panic',
    'POST /api/profiles',
    'POST /api/profiles/import',
    'PUT /api/profiles/[id]',
    'DELETE /api/profiles/[id]',
    'POST /api/teams',
    'PATCH /api/teams/[id]',
    'DELETE /api/teams/[id]',
    'GET /api/users',
    'POST /api/users',
    'PATCH /api/users/[id]',
    'POST /api/users/[id]/reset',
    'DELETE /api/users/[id]/sessions',
  ],
};
/** What a token never may, whatever its role. */
const IN_PERSON = [
  ...['DELETE /api/session', 'POST /api/session/confirm', 'PUT /api/account/password', 'GET /api/account/sessions'],
  ...['DELETE /api/account/sessions/[id]', 'GET /api/tokens', 'POST /api/tokens', 'DELETE /api/tokens/[id]'],
  ...['POST /api/teams', 'PATCH /api/teams/[id]', 'DELETE /api/teams/[id]'],
  ...['GET /api/users', 'POST /api/users', 'PATCH /api/users/[id]', 'POST /api/users/[id]/reset'],
  ...['DELETE /api/users/[id]/sessions', 'POST /api/deletions/[id]/approval/decision'],
];
function leastRole(name: string): Role {
  return ROLES.find((role) => LEAST[role].includes(name)) ?? 'admin';
}

const instance = { name: 'new', topology: 'standalone', endpoints: [{ host: '127.0.0.1', port: 1 }] };
const profile = { ...presets.get('S2'), name: 'p' };
const exemption = {
  instanceId: null,
  rule: 'N1',
  prefix: 'a:',
  pattern: null,
  owner: 'o',
  reason: 'r',
  expiresAt: null,
};
/** Bodies that fit, so that nothing but the right is left to refuse them. */
const BODIES: Record<string, unknown> = {
  'POST /api/instances': instance,
  'POST /api/instances/test': instance,
  'PUT /api/instances/[id]/policy': { profileId: 'default', prefixes: [], updatedAt: null },
  'PUT /api/instances/[id]/checklist': { rule: 'C1', state: 'done', owner: '', date: null, note: '' },
  'POST /api/instances/[id]/give-up': { confirm: 'x', consents: ['set_aside_lost'] },
  'POST /api/instances/[id]/scans': { speed: 'gentle' },
  'POST /api/deletions/plans': {
    task: 'delete',
    instanceId: 'i',
    selection: { by: 'keys', keys: [{ k: 'YQ' }] },
    options: {},
  },
  'POST /api/deletions': { planId: 'p', confirm: 'x', consents: [] },
  'POST /api/deletions/[id]/server': { confirm: 'x', seen: 'a'.repeat(64) },
  'POST /api/deletions/[id]/approval': { planCreatedAt: 1, reason: 'because' },
  'POST /api/deletions/[id]/approval/decision': { planCreatedAt: 1, decision: 'approve' },
  'POST /api/deletions/[id]/undo': { restoreExpired: false },
  'PATCH /api/jobs/[id]': { speed: 'fast' },
  'POST /api/profiles': { body: profile },
  'PUT /api/profiles/[id]': { body: profile },
  'POST /api/profiles/import': { yaml: 'x' },
  'POST /api/exemptions': exemption,
  'PUT /api/exemptions/[id]': exemption,
  'POST /api/instances/[id]/views': { name: 'x', page: '/tree', search: '' },
  'PATCH /api/views/[id]': { name: 'x' },
  'POST /api/owners': { instanceId: null, prefix: 'a:', team: 't' },
  'PUT /api/owners/[id]': { instanceId: null, prefix: 'a:', team: 't' },
  'POST /api/users': { name: 'eve', role: 'admin', grants: [] },
  'POST /api/teams': { name: 'another', members: [], grants: [] },
  'PATCH /api/teams/[id]': { grants: [] },
  'PATCH /api/users/[id]': { role: 'admin' },
  'POST /api/session/confirm': { password: 'x' },
  'PUT /api/account/password': { current: 'x', next: 'correct horse battery' },
  'POST /api/tokens': { name: 'another', role: 'viewer' },
};

interface Route {
  name: string;
  method: string;
  path: string;
  handler: RouteHandler;
}
const routes: Route[] = [];
for (const file of readdirSync(app, { recursive: true, encoding: 'utf8' })) {
  if (!/(^|\/)route\.ts$/.test(file)) continue;
  const module = (await import(/* @vite-ignore */ join(app, file))) as Record<string, RouteHandler>;
  const path = `/${file.replace(/\/?route\.ts$/, '')}`;
  for (const method of METHODS)
    if (module[method]) routes.push({ name: `${method} ${path}`, method, path, handler: module[method] });
}

/** Things that are there, by the folder above `[id]`. */
const there: Record<string, string> = {};
const cookies: Record<string, string> = {};
const tokens: Record<string, string> = {};
/** Revoked, expired, of a disabled account, never there. */
const ended: string[] = [];
/** May everything, elsewhere. */
let ofOtherTeam = '';
const FROM = { address: '10.0.0.1', agent: 'test' };
let data: ReturnType<typeof temporaryData>;

async function ask({ name, method, path, handler }: Route, cookie: string | null, more: Record<string, string> = {}) {
  const id = there[/\/(\w+)\/\[id\]/.exec(path)?.[1] ?? ''] ?? 'nothere';
  const params = { id, k: 'YQ', report: 'overview', rule: 'N1' };
  const body = method === 'GET' || method === 'HEAD' ? null : JSON.stringify(BODIES[name] ?? {});
  const request = new Request(`http://${HOST}${path.replace(/\[\w+\]/g, 'x')}`, { method, body });
  const headers = { host: HOST, origin: `http://${HOST}`, 'content-type': 'application/json', 'x-colonnade': '1' };
  const given = Object.entries({ ...headers, ...more, ...(cookie !== null && { cookie }) });
  const all = new Headers(given.filter(([, value]) => value !== ''));
  Object.defineProperty(request, 'headers', { value: all });
  const response = await handler(request, { params: Promise.resolve(params) });
  const text = response.headers.get('content-type')?.startsWith('text/event-stream') ? '' : await response.text();
  await response.body?.cancel().catch(() => {});
  const code = text.startsWith('{"error"') ? (JSON.parse(text).error.code as string) : null;
  return { status: response.status, code };
}

const NO_PAGE = { origin: '', 'x-colonnade': '' };
const by = (token: string) => ({ authorization: `Bearer ${token}`, ...NO_PAGE });

/** Made by an administrator, so that only the token's own bounds count. */
async function tokenOf(userId: string, name: string, input: { role: Role; grants?: Grant[]; days?: number }) {
  const asked = { name, grants: [], days: 90, ...input };
  const { token, secret } = await createToken(LOCAL_ADMIN, asked, userId);
  return { id: token.id, secret };
}

async function person(name: string, role: Role, grants: Grant[] = []): Promise<{ id: string; cookie: string }> {
  const { user, link } = await addUser(LOCAL_ADMIN, { name, role, grants });
  const token = await openLink({ token: link.token, password: 'correct horse battery' }, FROM);
  return { id: user.id, cookie: sessionCookies(token, `http://${HOST}`)[0]!.split(';')[0]! };
}

beforeAll(async () => {
  data = temporaryData();
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  const settings = { ...instance, name: 'there', secrets: {}, tls: { enabled: false, skipVerify: false } };
  const made = await registerInstance(LOCAL_ADMIN, {
    ...settings,
    topology: 'standalone',
    databases: null,
    protocol: 'auto',
    tags: [],
    environment: '',
    owner: '',
    readOnly: true,
    production: false,
    secondPerson: false,
    valuesForbidden: false,
  });
  there.instances = made.id;
  const job = { kind: 'toy', instanceId: made.id, instanceName: 'there', speed: 'gentle', params: 1 } as const;
  there.jobs = (await createJob(LOCAL_ADMIN, job)).id;
  there.owners = (await addOwner(LOCAL_ADMIN, { instanceId: null, prefix: 'x:', team: 't' })).id;
  there.exemptions = (await addExemption(LOCAL_ADMIN, { ...exemption, prefix: 'x:' })).id;
  const victim = await person('victim', 'viewer');
  there.users = victim.id;
  for (const role of ROLES) cookies[role] = (await person(`is-${role}`, role)).cookie;
  const member = await person('of-other-team', 'none');
  const elsewhereToo = { kind: 'tag', value: 'elsewhere', role: 'admin' } as const;
  await addTeam(LOCAL_ADMIN, { name: 'others', members: [member.id], grants: [elsewhereToo] });
  // Joining ended the session.
  ofOtherTeam = sessionCookies(
    await signIn({ name: 'of-other-team', password: 'correct horse battery' }, FROM),
    `http://${HOST}`,
  )[0]!.split(';')[0]!;
  there.teams = (await addTeam(LOCAL_ADMIN, { name: 'there', members: [], grants: [] })).id;
  const gone = await person('gone', 'admin');
  cookies['of an ended session'] = gone.cookie;
  await endUserSessions(LOCAL_ADMIN, gone.id);
  const disabled = await person('disabled', 'admin');
  cookies['of a disabled account'] = disabled.cookie;
  await updateUser(LOCAL_ADMIN, disabled.id, { disabled: true });
  const admin = (await person('owner', 'admin')).id;
  for (const role of ['viewer', 'operator', 'admin'] as const)
    tokens[role] = (await tokenOf(admin, role, { role })).secret;
  const elsewhere = { kind: 'tag', value: 'elsewhere', role: 'admin' } as const;
  cookies['of another team'] = (await person('of-another-team', 'none', [elsewhere])).cookie;
  tokens.elsewhere = (await tokenOf(admin, 'elsewhere', { role: 'none', grants: [elsewhere] })).secret;
  const revoked = await tokenOf(admin, 'revoked', { role: 'admin' });
  await revokeToken(LOCAL_ADMIN, revoked.id);
  const expired = await tokenOf(admin, 'expired', { role: 'admin' });
  const db = await dbOf(undefined);
  const expires_at = Date.now() - 1;
  await db.updateTable('api_tokens').set({ expires_at }).where('id', '=', expired.id).execute();
  const blocked = await person('blocked', 'admin');
  const ofDisabled = await tokenOf(blocked.id, 'x', { role: 'admin' });
  await updateUser(LOCAL_ADMIN, blocked.id, { disabled: true });
  const lowered = await person('lowered', 'admin');
  tokens.lowered = (await tokenOf(lowered.id, 'x', { role: 'admin' })).secret;
  await updateUser(LOCAL_ADMIN, lowered.id, { role: 'viewer' });
  ended.push(revoked.secret, expired.secret, ofDisabled.secret, `colonnade_${'A'.repeat(43)}`);
  cookies.forged = `colonnade_3000=${'A'.repeat(43)}`;
  cookies['of a name'] = 'colonnade_3000=admin; user=admin; role=admin; sessionId=local';
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await data.remove();
});

const closed = routes.filter(({ name }) => !OPEN.includes(name) && name !== 'GET /metrics');

it('every route has its row, and no row stands for one that has gone', () => {
  const names = routes.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(75);
  const rows = [...OPEN, 'GET /metrics', ...Object.values(LEAST).flat()];
  expect(names.filter((name) => !rows.includes(name))).toEqual([]);
  expect(rows.filter((name, at) => rows.indexOf(name) !== at)).toEqual([]);
  for (const name of [...OPEN, ...Object.values(LEAST).flat(), ...Object.keys(BODIES)]) expect(names).toContain(name);
  expect(
    routes
      .filter(({ handler }) => handler.open)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([...OPEN, 'GET /metrics'].toSorted());
});

describe.each(closed.map((route) => [route.name, route] as const))('%s', (name, route) => {
  it('answers nobody without a session', async () => {
    const bypass: Record<string, string> = {
      'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy',
      rsc: '1',
      'next-router-prefetch': '1',
    };
    const nobody = Object.entries(cookies).filter(
      ([who]) => who !== 'of another team' && !ROLES.some((role) => role === who),
    );
    expect(nobody).toHaveLength(4);
    const sent: Record<string, string>[] = [
      {},
      bypass,
      { authorization: 'Bearer x' },
      { 'x-user': 'admin', 'x-colonnade-address': 'x' },
    ];
    for (const cookie of [null, ...nobody.map(([, value]) => value)])
      for (const headers of sent)
        expect(await ask(route, cookie, headers)).toEqual({ status: 401, code: 'sign_in_needed' });
    // Next answers HEAD by the handler of GET.
    if (route.method === 'GET') expect((await ask({ ...route, method: 'HEAD' }, null, bypass)).status).toBe(401);
  });

  it('answers no token that does not hold, whatever cookie lies beside it', async () => {
    // Another address for each route, which would be refused for too many wrong ones.
    const from = { 'x-colonnade-address': name };
    for (const token of ended)
      for (const cookie of [null, cookies.admin!])
        expect(await ask(route, cookie, { ...by(token), ...from })).toEqual({ status: 401, code: 'sign_in_needed' });
  });

  const least = leastRole(name);
  const low = ROLES.slice(0, ROLES.indexOf(least));
  it.each(low)(`refuses the role %s, where ${least} is needed`, async (role) => {
    const { status, code } = await ask(route, cookies[role]!);
    // Whoever may see nothing learns nothing of what is there.
    expect([403, 404]).toContain(status);
    expect(['forbidden', 'not_found']).toContain(code);
    if (role !== 'none') expect(code).toBe('forbidden');
    if (route.method === 'GET')
      expect((await ask({ ...route, method: 'HEAD' }, cookies[role]!)).status).toBeGreaterThanOrEqual(403);
  });
  if (low.length > 0)
    it('refuses the administrator of other instances, by a grant of their own or of a team', async () => {
      for (const cookie of [cookies['of another team']!, ofOtherTeam]) {
        const { status, code } = await ask(route, cookie);
        expect([403, 404]).toContain(status);
        expect(['forbidden', 'not_found']).toContain(code);
      }
    });

  if (!IN_PERSON.includes(name) && low.length > 0)
    it('refuses tokens of lower roles, and of other instances', async () => {
      for (const role of low.filter((one) => one !== 'none')) {
        expect((await ask(route, null, by(tokens[role]!))).code).toBe('forbidden');
        // A cookie that may adds nothing.
        expect((await ask(route, cookies.admin!, by(tokens[role]!))).code).toBe('forbidden');
      }
      for (const cookie of [null, cookies.admin!])
        expect(['forbidden', 'not_found']).toContain((await ask(route, cookie, by(tokens.elsewhere!))).code);
      if (low.includes('viewer')) expect((await ask(route, null, by(tokens.lowered!))).code).toBe('forbidden');
    });

  if (IN_PERSON.includes(name))
    it('is for people, not for tokens', async () => {
      for (const token of Object.values(tokens))
        expect(await ask(route, cookies.admin!, by(token))).toEqual({ status: 403, code: 'person_needed' });
    });

  if (route.method !== 'GET')
    it('a cookie with what is no token of ours needs its page, as ever', async () => {
      for (const authorization of [
        'Bearer x',
        'Basic eDp4',
        `Bearer ${tokens.admin}, Bearer x`,
        'Bearer',
        `x ${tokens.admin}`,
      ])
        expect(await ask(route, cookies.admin!, { authorization, ...NO_PAGE })).toEqual({
          status: 403,
          code: 'origin_refused',
        });
      const foreign = { ...by(tokens.admin!), origin: 'https://evil.example' };
      expect(await ask(route, null, foreign)).toEqual({ status: 403, code: 'origin_refused' });
    });
});

// Last, and from the least on: what is allowed changes what is there.
describe.each(closed.map((route) => [route.name, route] as const))('%s', (name, route) => {
  if (/ \/api\/(session|account|tokens)/.test(name)) return;
  it('is not refused to whoever may', async () => {
    const least = leastRole(name);
    expect(['forbidden', 'sign_in_needed']).not.toContain((await ask(route, cookies[least]!)).code);
    const token = tokens[least === 'none' ? 'viewer' : least]!;
    const refusals = ['forbidden', 'sign_in_needed', 'origin_refused', 'person_needed'];
    if (!IN_PERSON.includes(name)) expect(refusals).not.toContain((await ask(route, null, by(token))).code);
  });
});

it('the metrics and the deep health check ask for a token, or for somebody who may see every instance', async () => {
  const metrics = routes.find(({ name }) => name === 'GET /metrics')!;
  const health = routes.find(({ name }) => name === 'GET /api/health')!;
  const deep = { ...health, path: '/api/health?deep=1' };
  for (const route of [metrics, deep]) {
    for (const cookie of [null, cookies.forged!, cookies.none!]) expect((await ask(route, cookie)).status).toBe(403);
    expect([200, 503]).toContain((await ask(route, cookies.viewer!)).status);
    vi.stubEnv('COLONNADE_METRICS_TOKEN', 'token-of-sixteen-and-more');
    expect((await ask(route, null, { authorization: 'Bearer wrong' })).status).toBe(403);
    const right = { authorization: 'Bearer token-of-sixteen-and-more' };
    expect([200, 503]).toContain((await ask(route, null, right)).status);
    vi.stubEnv('COLONNADE_METRICS_TOKEN', '');
  }
  expect((await ask(health, null)).status).toBe(200);
});
