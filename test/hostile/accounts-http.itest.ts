import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ROUTES } from '../../app/api/routes';
import { listAudit } from '../../lib/access/audit-log/list-audit';
import { addUser, endUserSessions, updateUser } from '../../lib/access/users/manage-users';
import { createToken } from '../../lib/access/users/tokens';
import { useLink as openLink } from '../../lib/access/users/use-link';
import { requestApproval } from '../../lib/deletions/approval/request-approval';
import { getDeletion } from '../../lib/deletions/get-deletion';
import { makePlan } from '../../lib/deletions/make-plan';
import { buildSessionCookies } from '../../lib/http/access/session-cookie';
import { queueJob } from '../../lib/jobs/create-job';
import type { Grant, Role } from '../../lib/model/access';
import { type Actor, LOCAL_ADMIN } from '../../lib/model/actor';
import { listSessionRows } from '../../lib/store/accounts/sessions';
import { getInstanceRow, updateInstanceRow } from '../../lib/store/instances';
import { runTransaction } from '../../lib/store/open-store';
import { askApi, HOST } from '../access/ask-api';
import { firstPage, makeDeletion, standPerTest } from '../deletions/stand-per-test';

/** Requests of current and former users that are repeated, late, about other users, or far too large. */
const on = standPerTest();
interface Person {
  id: string;
  cookie: string;
}
beforeEach(async () => {
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  await on.client.mset('cart:1', 'x', 'cart:2', 'y');
});
afterEach(() => vi.unstubAllEnvs());

async function person(name: string, role: Role, grants: Grant[] = []): Promise<Person> {
  const { user, link } = await addUser(LOCAL_ADMIN, { name, role, grants });
  const from = { address: '10.0.0.1', agent: 'test' };
  const token = await openLink({ token: link.token, password: 'correct horse battery' }, from);
  return { id: user.id, cookie: buildSessionCookies(token, `http://${HOST}`)[0]!.split(';')[0]! };
}
function send(name: string, who: string, body?: unknown): Promise<Response> {
  const isToken = who.startsWith('colonnade_') && !who.includes('=');
  const by: Record<string, string> = isToken
    ? { authorization: `Bearer ${who}` }
    : { origin: `http://${HOST}`, 'x-colonnade': '1', cookie: who };
  return askApi(name, { body, headers: { host: HOST, 'content-type': 'application/json', ...by } });
}
const readCode = async (answer: Response) =>
  answer.ok ? answer.status : ((await answer.json()) as { error: { code: string } }).error.code;
const actor = ({ id }: Person, name: string): Actor => ({ id, name, role: 'operator', via: 'page' });
const listActs = async (subject: string, action: string) =>
  (await listAudit(LOCAL_ADMIN)).rows.filter((row) => row.subject === subject && row.action === action);
async function twice(act: () => Promise<Response>): Promise<(number | string)[]> {
  return Promise.all((await Promise.all([act(), act(), act()])).map(readCode));
}
const plan = (by: Actor, names = ['cart:1', 'cart:2']) => makePlan(by, makeDeletion(on.stand.instanceId, names));

it('sent three times at once, a deletion, its undo and an approval happen once', async () => {
  const otto = await person('otto', 'operator');
  const olga = await person('olga', 'operator');
  const row = (await getInstanceRow(on.stand.instanceId))!;
  await updateInstanceRow({ ...row, settings: { ...row.settings, secondPerson: true } });
  const made = await plan(actor(otto, 'otto'));
  await requestApproval(actor(otto, 'otto'), made.id, { planCreatedAt: made.createdAt, reason: 'Old carts.' });
  const yes = { planCreatedAt: made.createdAt, decision: 'approve' };
  const decided = await twice(() => send(`POST /api/deletions/${made.id}/approval/decision`, olga.cookie, yes));
  expect(decided.filter((code) => code === 200)).toHaveLength(1);
  expect(await listActs(made.id, 'deletion.approve')).toHaveLength(1);

  const confirm = { planId: made.id, confirm: 'stand', consents: [] };
  const started = await twice(() => send('POST /api/deletions', otto.cookie, confirm));
  expect(started.filter((code) => code === 201)).toHaveLength(1);
  expect(started.filter((code) => typeof code === 'string')).toHaveLength(2);
  const { job } = await getDeletion(LOCAL_ADMIN, made.id);
  await on.stand.until(job!.id, ['succeeded']);
  expect(await on.client.exists('cart:1', 'cart:2')).toBe(0);
  expect((await firstPage(made.id)).items.map(({ state }) => state)).toEqual(['done', 'done']);

  const undone = await twice(() => send(`POST /api/deletions/${made.id}/undo`, otto.cookie, { restoreExpired: false }));
  expect(undone.filter((code) => code === 201)).toHaveLength(1);
  const after = await getDeletion(LOCAL_ADMIN, made.id);
  await on.stand.until(after.job!.id, ['succeeded']);
  expect([await on.client.get('cart:1'), await on.client.get('cart:2')]).toEqual(['x', 'y']);
});

it('the same requests replayed after signing out, a lower role or a disabled account do nothing', async () => {
  const otto = await person('otto', 'operator');
  const made = await plan(actor(otto, 'otto'));
  const confirm = { planId: made.id, confirm: 'stand', consents: [] };
  const replay = async (cookie: string) => readCode(await send('POST /api/deletions', cookie, confirm));
  const asked = { name: 'ci', role: 'operator' as const, grants: [], days: 9 };
  const { secret } = await createToken(LOCAL_ADMIN, asked, otto.id);
  await updateUser(LOCAL_ADMIN, otto.id, { role: 'viewer' });
  expect(await replay(otto.cookie)).toBe('sign_in_needed');
  expect(await replay(secret)).toBe('forbidden');
  const olga = await person('olga', 'operator');
  await endUserSessions(LOCAL_ADMIN, olga.id);
  expect(await replay(olga.cookie)).toBe('sign_in_needed');
  const omar = await person('omar', 'operator');
  await updateUser(LOCAL_ADMIN, omar.id, { disabled: true });
  expect(await replay(omar.cookie)).toBe('sign_in_needed');
  expect(await on.client.exists('cart:1', 'cart:2')).toBe(2);
  expect((await getDeletion(LOCAL_ADMIN, made.id)).state).toBe('planned');
});

it('ids of other people are ids of nothing', async () => {
  const [otto, olga] = [await person('otto', 'operator'), await person('olga', 'operator')];
  const [session] = await listSessionRows(olga.id);
  expect(await readCode(await send(`DELETE /api/account/sessions/${session!.id}`, otto.cookie))).toBe('not_found');
  expect(await listSessionRows(olga.id)).toHaveLength(1);
  const asked = { name: 'ci', role: 'viewer' as const, grants: [], days: 9 };
  const { token } = await createToken(LOCAL_ADMIN, asked, olga.id);
  expect(await readCode(await send(`DELETE /api/tokens/${token.id}`, otto.cookie))).toBe('not_found');
});

it('a grant withdrawn midway ends speed changes at once and events by themselves', async () => {
  const grant = { kind: 'instance', value: on.stand.instanceId, role: 'operator' } as const;
  const gus = await person('gus', 'none', [grant]);
  const asked = { name: 'ci', role: 'none' as const, grants: [grant], days: 9 };
  const { secret } = await createToken(LOCAL_ADMIN, asked, gus.id);
  const toy = {
    kind: 'toy',
    instanceId: on.stand.instanceId,
    instanceName: 'stand',
    speed: 'gentle',
    params: 1,
  } as const;
  const { id } = await runTransaction((tx) => queueJob(LOCAL_ADMIN, toy, tx));
  const faster = async (who: string) => readCode(await send(`PATCH /api/jobs/${id}`, who, { speed: 'fast' }));
  expect([await faster(gus.cookie), await faster(secret)]).toEqual([200, 200]);
  const streams = await Promise.all([gus.cookie, secret].map((who) => send('GET /api/jobs/events', who)));
  expect(streams.map(({ status }) => status)).toEqual([200, 200]);
  const ended = Promise.all(streams.map((stream) => stream.text()));
  await updateUser(LOCAL_ADMIN, gus.id, { grants: [] });
  expect(await faster(gus.cookie)).toBe('sign_in_needed');
  expect(await faster(secret)).toBe('not_found');
  await ended;
});

it('ten megabytes, a hundred thousand levels and names of prototypes are refused by every route that takes a body', async () => {
  const admin = await person('ada', 'admin');
  const bodies: [string, string[]][] = [
    [`{"name":"${'x'.repeat(10 * 1024 * 1024)}"}`, ['too_large']],
    ['['.repeat(100_000), ['bad_request']],
    ['{"__proto__":{"polluted":1}}', ['bad_request']],
    ['{"constructor":{"prototype":{"polluted":1}}}', ['bad_request']],
    ['[]', ['bad_request']],
    ['"text"', ['bad_request']],
  ];
  let asked = 0;
  const parts: Record<string, string> = { id: 'nothere', k: 'YQ', report: 'overview', rule: 'N1' };
  for (const { method, path } of ROUTES.filter((route) => route.method !== 'GET'))
    for (const [body, codes] of bodies) {
      const name = `${method} ${path.replace(/\{(\w+)\}/g, (_, part) => parts[part]!)}`;
      const code = await readCode(await send(name, admin.cookie, body));
      expect(codes, `${name} ${body.slice(0, 40)}`).toContain(code);
      asked++;
    }
  expect(asked).toBeGreaterThan(200);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
