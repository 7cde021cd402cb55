import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addUser, endUserSessions, updateUser } from '@/lib/access/users/manage-users';
import { signIn } from '@/lib/access/users/sign-in';
import { addTeam } from '@/lib/access/users/teams/teams';
import { createToken, revokeToken } from '@/lib/access/users/tokens';
import { useLink as openLink } from '@/lib/access/users/use-link';
import { addSilence } from '@/lib/alerts/manage-alerts';
import { addChannel } from '@/lib/alerts/manage-channels';
import { addAlertRule } from '@/lib/alerts/manage-rules';
import { buildSessionCookies } from '@/lib/http/access/session-cookie';
import { registerInstance } from '@/lib/instances/register-instance';
import { createJob } from '@/lib/jobs/create-job';
import { type Grant, ROLES, type Role } from '@/lib/model/access';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { ScheduleInput } from '@/lib/model/schedules/schedule';
import { addExemption } from '@/lib/policies/exemptions';
import { addOwner } from '@/lib/policies/owners';
import { addSchedule } from '@/lib/schedules/save-schedule';
import { getDb } from '@/lib/store/open-store';
import { askApi, HOST, OWN_HEADERS } from '@/test/access/ask-api';
import {
  ALL,
  alertRule,
  BODIES,
  channel,
  exemption,
  instance,
  lowestRole,
  OPEN,
  PERMISSIONS_WITHOUT_TOKENS,
  schedule,
  silence,
} from '@/test/access/route-needs';
import { temporaryData } from '@/test/temporary-data';
import { ROUTES } from './routes';

/**
 * Checks who may call which route: every route, called by every kind of caller, directly at the table of routes, with
 * nothing in front of it. A route without a row in test/access/route-needs.ts fails.
 */
interface Called {
  name: string;
  method: string;
  path: string;
}
const routes = ROUTES.map((route) => ({ ...route, name: `${route.method} ${route.path}` }));

/** Ids of existing things, by the part of the path before `{id}`. */
const there: Record<string, string> = {};
const cookies: Record<string, string> = {};
const tokens: Record<string, string> = {};
/** Tokens that do not work: revoked, expired, of a disabled account, never issued. */
const ended: string[] = [];
/** Session cookie of a person who may do everything, but elsewhere. */
let ofOtherTeam = '';
const FROM = { address: '10.0.0.1', agent: 'test' };
let data: ReturnType<typeof temporaryData>;

async function ask({ name, method, path }: Called, cookie: string | null, more: Record<string, string> = {}) {
  const id = there[/\/(\w+)\/\{id\}/.exec(path)?.[1] ?? ''] ?? 'nothere';
  const parts: Record<string, string> = { id, k: 'YQ', report: 'overview', rule: 'N1' };
  const given = Object.entries({ ...OWN_HEADERS, ...more, ...(cookie !== null && { cookie }) });
  const headers = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const address = path.replace(/\{(\w+)\}/g, (_, part) => parts[part] ?? '');
  const response = await askApi(`${method} ${address}`, { body: BODIES[name] ?? {}, headers });
  const text = response.headers.get('content-type')?.startsWith('text/event-stream') ? '' : await response.text();
  await response.body?.cancel().catch(() => {});
  const code = text.startsWith('{"error"') ? (JSON.parse(text).error.code as string) : null;
  return { status: response.status, code };
}

const NO_PAGE = { origin: '', 'x-colonnade': '' };
const by = (token: string) => ({ authorization: `Bearer ${token}`, ...NO_PAGE });

/** The token is made by an administrator, so that only the token's own limits count. */
async function makeToken(userId: string, name: string, input: { role: Role; grants?: Grant[]; days?: number }) {
  const asked = { name, grants: [], days: 90, ...input };
  const { token, secret } = await createToken(LOCAL_ADMIN, asked, userId);
  return { id: token.id, secret };
}

async function person(name: string, role: Role, grants: Grant[] = []): Promise<{ id: string; cookie: string }> {
  const { user, link } = await addUser(LOCAL_ADMIN, { name, role, grants });
  const token = await openLink({ token: link.token, password: 'correct horse battery' }, FROM);
  return { id: user.id, cookie: buildSessionCookies(token, `http://${HOST}`)[0]!.split(';')[0]! };
}

beforeAll(async () => {
  data = temporaryData();
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  const settings = { ...instance, name: 'there', secrets: {}, tls: { enabled: false, skipVerify: false } };
  const made = await registerInstance(LOCAL_ADMIN, {
    ...settings,
    topology: 'standalone',
    addressMap: [],
    onlyEndpoints: false,
    databases: null,
    protocol: 'auto',
    tags: [],
    environment: '',
    owner: '',
    readOnly: true,
    production: false,
    secondPerson: false,
    valuesForbidden: false,
    separateWriteUser: false,
  });
  there.instances = made.id;
  const job = { kind: 'toy', instanceId: made.id, instanceName: 'there', speed: 'gentle', params: 1 } as const;
  there.jobs = (await createJob(LOCAL_ADMIN, job)).id;
  there.owners = (await addOwner(LOCAL_ADMIN, { instanceId: null, prefix: 'x:', team: 't' })).id;
  there.exemptions = (await addExemption(LOCAL_ADMIN, { ...exemption, prefixes: ['x:'] })).id;
  there.schedules = (await addSchedule(LOCAL_ADMIN, ScheduleInput.parse(schedule))).id;
  there.channels = (await addChannel(LOCAL_ADMIN, channel)).id;
  there.rules = (await addAlertRule(LOCAL_ADMIN, alertRule)).id;
  there.silences = (await addSilence(LOCAL_ADMIN, silence)).id;
  const victim = await person('victim', 'viewer');
  there.users = victim.id;
  for (const role of ROLES) cookies[role] = (await person(`is-${role}`, role)).cookie;
  const member = await person('of-other-team', 'none');
  const elsewhereToo = { kind: 'tag', value: 'elsewhere', role: 'admin' } as const;
  await addTeam(LOCAL_ADMIN, { name: 'others', members: [member.id], grants: [elsewhereToo] });
  // Joining the team ended the former session.
  ofOtherTeam = buildSessionCookies(
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
    tokens[role] = (await makeToken(admin, role, { role })).secret;
  const elsewhere = { kind: 'tag', value: 'elsewhere', role: 'admin' } as const;
  cookies['of another team'] = (await person('of-another-team', 'none', [elsewhere])).cookie;
  tokens.elsewhere = (await makeToken(admin, 'elsewhere', { role: 'none', grants: [elsewhere] })).secret;
  const revoked = await makeToken(admin, 'revoked', { role: 'admin' });
  await revokeToken(LOCAL_ADMIN, revoked.id);
  const expired = await makeToken(admin, 'expired', { role: 'admin' });
  const db = await getDb(undefined);
  const expires_at = Date.now() - 1;
  await db.updateTable('api_tokens').set({ expires_at }).where('id', '=', expired.id).execute();
  const blocked = await person('blocked', 'admin');
  const ofDisabled = await makeToken(blocked.id, 'x', { role: 'admin' });
  await updateUser(LOCAL_ADMIN, blocked.id, { disabled: true });
  const lowered = await person('lowered', 'admin');
  tokens.lowered = (await makeToken(lowered.id, 'x', { role: 'admin' })).secret;
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
  expect(names.length).toBeGreaterThan(100);
  expect(names.toSorted()).toEqual(ALL.toSorted());
  expect(new Set(ALL).size).toBe(ALL.length);
  for (const name of Object.keys(BODIES)) expect(names).toContain(name);
  expect(
    routes
      .filter(({ open }) => open)
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
    // HEAD is answered by the route of GET.
    if (route.method === 'GET') expect((await ask({ ...route, method: 'HEAD' }, null, bypass)).status).toBe(401);
  });

  it('answers no token that does not hold, whatever cookie lies beside it', async () => {
    // Each route uses another address, because one address would be refused after too many wrong tokens.
    const from = { 'x-colonnade-address': name };
    for (const token of ended)
      for (const cookie of [null, cookies.admin!])
        expect(await ask(route, cookie, { ...by(token), ...from })).toEqual({ status: 401, code: 'sign_in_needed' });
  });

  const lowest = lowestRole(name);
  const low = ROLES.slice(0, ROLES.indexOf(lowest));
  it.each(low)(`refuses the role %s, where ${lowest} is needed`, async (role) => {
    const { status, code } = await ask(route, cookies[role]!);
    // A caller who may see nothing must not learn whether something exists.
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

  if (!PERMISSIONS_WITHOUT_TOKENS.includes(name) && low.length > 0)
    it('refuses tokens of lower roles, and of other instances', async () => {
      for (const role of low.filter((one) => one !== 'none')) {
        expect((await ask(route, null, by(tokens[role]!))).code).toBe('forbidden');
        // A cookie that has the permission adds nothing to a token that has not.
        expect((await ask(route, cookies.admin!, by(tokens[role]!))).code).toBe('forbidden');
      }
      for (const cookie of [null, cookies.admin!])
        expect(['forbidden', 'not_found']).toContain((await ask(route, cookie, by(tokens.elsewhere!))).code);
      if (low.includes('viewer')) expect((await ask(route, null, by(tokens.lowered!))).code).toBe('forbidden');
    });

  if (PERMISSIONS_WITHOUT_TOKENS.includes(name))
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

// Runs last, because an allowed call changes the data. Each route is called with the lowest role that may call it.
describe.each(closed.map((route) => [route.name, route] as const))('%s', (name, route) => {
  if (/ \/api\/(session|account|tokens)/.test(name)) return;
  it('is not refused to whoever may', async () => {
    const lowest = lowestRole(name);
    expect(['forbidden', 'sign_in_needed']).not.toContain((await ask(route, cookies[lowest]!)).code);
    const token = tokens[lowest === 'none' ? 'viewer' : lowest]!;
    const refusals = ['forbidden', 'sign_in_needed', 'origin_refused', 'person_needed'];
    if (!PERMISSIONS_WITHOUT_TOKENS.includes(name))
      expect(refusals).not.toContain((await ask(route, null, by(token))).code);
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
