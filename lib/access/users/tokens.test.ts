import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findApiTokenActor } from '@/lib/access/auth/api-tokens';
import { UNKNOWN_TOKENS } from '@/lib/access/auth/token-tries';
import { handle } from '@/lib/http/handle';
import type { Grant, Role } from '@/lib/model/access';
import { getRoleOn } from '@/lib/model/access';
import { ApiTokenInput } from '@/lib/model/accounts/api-tokens';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { getDb } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { addUser, listUsers, updateUser } from './manage-users';
import { createToken, listTokens, revokeToken } from './tokens';

const DESCRIBED = { summary: 'A route of the test.', answer: 'What it is asked for.' };

const DAY_MS = 86_400_000;
const readCode = (act: Promise<unknown>) => act.then(() => 'done').catch((error) => error.code);
let places = 0;
const place = () => `10.1.0.${++places}`;
const whoIs = (secret: string, at: { address?: string; use?: boolean; now?: number } = {}) =>
  findApiTokenActor(secret, { address: place(), use: false, ...at });

async function person(name: string, role: Role, grants: Grant[] = []): Promise<Actor> {
  const { user } = await addUser(LOCAL_ADMIN, { name, role, grants });
  return { id: user.id, name, role, grants, via: 'page' };
}
const token = (actor: Actor, input: Partial<ApiTokenInput> = {}) =>
  createToken(actor, { name: 'ci', role: 'viewer', grants: [], days: 90, ...input });
const shop = { id: 'i1', tags: ['shop'], environment: 'staging' };
const other = { id: 'i2', tags: [], environment: 'production' };

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await data.remove();
});

describe('a token', () => {
  it('is known by its hash alone, and says whose and which it is', async () => {
    const ada = await person('ada', 'operator');
    const { token: made, secret } = await token(ada, { role: 'operator' });
    expect(secret).toMatch(/^colonnade_[A-Za-z0-9_-]{43}$/);
    expect(await whoIs(secret)).toMatchObject({ id: ada.id, name: 'ada (token ci)', role: 'operator', via: 'token' });
    for (const wrong of [secret.slice(0, -1), `${secret}A`, secret.toLowerCase(), secret.replace('colonnade_', '')])
      expect(await whoIs(wrong)).toBeNull();
    const db = await getDb(undefined);
    const rows = [
      await db.selectFrom('api_tokens').selectAll().execute(),
      await db.selectFrom('audit').selectAll().execute(),
    ];
    expect(JSON.stringify([rows, await listTokens(ada)])).not.toContain(secret.slice('colonnade_'.length));
    expect(JSON.stringify(await listTokens(ada))).not.toMatch(/hash/i);
    // Actions with a token are recorded under both names.
    const actor = (await whoIs(secret))!;
    expect(await readCode(listUsers(actor))).toBe('person_needed');
    expect(await readCode(addUser(actor, { name: 'eve', role: 'admin', grants: [] }))).toBe('person_needed');
    const last = await db.selectFrom('audit').selectAll().orderBy('seq', 'desc').executeTakeFirstOrThrow();
    expect(last).toMatchObject({ actor_id: ada.id, actor_name: 'ada (token ci)', via: 'token', outcome: 'refused' });
    expect(JSON.parse(last.details)).toEqual({ needs: 'admin', because: 'token', by: `api token ${made.id}` });
  });

  it('is never above its person, neither when made nor later', async () => {
    const ada = await person('ada', 'operator');
    expect(await readCode(token(ada, { role: 'admin' }))).toBe('forbidden');
    const everywhere: Grant = { kind: 'tag', value: 'shop', role: 'admin' };
    expect(await readCode(token(ada, { role: 'none', grants: [everywhere] }))).toBe('forbidden');
    const { secret } = await token(ada, { role: 'operator' });
    const { role } = (await whoIs(secret))!;
    await updateUser(LOCAL_ADMIN, ada.id, { role: 'viewer' });
    expect([role, (await whoIs(secret))?.role]).toEqual(['operator', 'viewer']);
    await updateUser(LOCAL_ADMIN, ada.id, { disabled: true });
    expect(await whoIs(secret)).toBeNull();
    expect(await readCode(token({ ...ada, name: 'still here' }, { name: 'late' }))).toBe('conflict');
    // The row of the token states more rights than its user has, as after a manual change of the database.
    const db = await getDb(undefined);
    await updateUser(LOCAL_ADMIN, ada.id, { disabled: false });
    await db.updateTable('api_tokens').set({ role: 'admin' }).execute();
    expect((await whoIs(secret))?.role).toBe('viewer');
  });

  it('has on each instance the lower of what it and its person have there', async () => {
    const staging: Grant = { kind: 'environment', value: 'staging', role: 'operator' };
    const ada = await person('ada', 'viewer', [staging]);
    const onShop = (await token(ada, { role: 'none', grants: [{ kind: 'tag', value: 'shop', role: 'operator' }] }))
      .secret;
    const actor = (await whoIs(onShop))!;
    expect([actor.role, getRoleOn(actor, shop), getRoleOn(actor, other)]).toEqual(['none', 'operator', 'none']);
    expect(getRoleOn(actor, { ...shop, environment: 'production' })).toBe('viewer');
    await updateUser(LOCAL_ADMIN, ada.id, { grants: [] });
    expect(getRoleOn((await whoIs(onShop))!, shop)).toBe('viewer');
    const wide = (await token(ada, { name: 'wide', role: 'viewer' })).secret;
    expect(getRoleOn((await whoIs(wide))!, shop)).toBe('viewer');
  });

  it('ends after its days, when it is revoked, and when the clock was set back', async () => {
    const ada = await person('ada', 'viewer');
    const { token: made, secret } = await token(ada, { days: 1 });
    expect(made.expiresAt - made.createdAt).toBe(DAY_MS);
    expect(await whoIs(secret, { now: made.expiresAt - 1 })).not.toBeNull();
    expect(await whoIs(secret, { now: made.expiresAt })).toBeNull();
    expect(await whoIs(secret, { now: made.createdAt - DAY_MS })).toBeNull();
    const eve = await person('eve', 'operator');
    expect(await readCode(revokeToken(eve, made.id))).toBe('not_found');
    expect(await listTokens(eve)).toEqual([]);
    expect(await whoIs(secret)).not.toBeNull();
    await revokeToken(ada, made.id);
    expect(await whoIs(secret)).toBeNull();
    expect(await readCode(revokeToken(ada, made.id))).toBe('not_found');
  });

  it('is seen and revoked by administrators, whose ever it is, and made by them only', async () => {
    const ada = await person('ada', 'viewer');
    const { token: made } = await token(ada);
    expect(await listTokens(LOCAL_ADMIN)).toMatchObject([{ name: 'ci', user: { name: 'ada' } }]);
    const input = { name: 'x', role: 'viewer', grants: [], days: 1 } as const;
    const eve = await person('eve', 'operator');
    expect(await readCode(createToken(eve, { ...input, grants: [] }, ada.id))).toBe('forbidden');
    expect(await readCode(createToken(LOCAL_ADMIN, { ...input, grants: [] }, ada.id))).toBe('done');
    expect(await readCode(revokeToken(LOCAL_ADMIN, made.id))).toBe('done');
  });

  it('makes no token, and touches no account, whatever its role', async () => {
    const root = await person('root', 'admin');
    const actor = (await whoIs((await token(root, { role: 'admin' })).secret))!;
    expect(await readCode(token(actor, { name: 'child' }))).toBe('person_needed');
    expect(await readCode(listTokens(actor))).toBe('person_needed');
    expect(await readCode(updateUser(actor, root.id, { role: 'viewer' }))).toBe('person_needed');
  });

  it('notes its last use once a minute, and no look whether it still holds', async () => {
    const ada = await person('ada', 'viewer');
    const { secret } = await token(ada);
    const now = Date.now();
    const used = async () => (await listTokens(ada)).map(({ lastUsedAt, lastAddress }) => [lastUsedAt, lastAddress]);
    await whoIs(secret, { now });
    expect(await used()).toEqual([[null, null]]);
    await whoIs(secret, { use: true, now, address: 'a'.repeat(100) });
    await whoIs(secret, { use: true, now: now + 59_000, address: 'b' });
    expect(await used()).toEqual([[now, 'a'.repeat(64)]]);
    await whoIs(secret, { use: true, now: now + 60_000, address: 'b' });
    expect(await used()).toEqual([[now + 60_000, 'b']]);
  });
});

it('a name is plain, known once per person, and bounded in number', async () => {
  const ada = await person('ada', 'viewer');
  const odd = ['', ' ', 'a\u202eb', 'a\u0000', 'a\nb', 'x) root (', '<b>', 'a\u200bb', "'", 'a'.repeat(65)];
  for (const name of odd) expect(ApiTokenInput.safeParse({ name, role: 'viewer' }).success).toBe(false);
  expect(ApiTokenInput.safeParse({ name: 'nächtlich: ci/5', role: 'viewer' }).success).toBe(true);
  for (const days of [0, 366, 1.5, -1, '90'])
    expect(ApiTokenInput.safeParse({ name: 'a', role: 'viewer', days }).success).toBe(false);
  await token(ada, { name: 'Nightly' });
  expect(await readCode(token(ada, { name: 'nightly' }))).toBe('conflict');
  expect(await readCode(token(await person('bob', 'viewer'), { name: 'nightly' }))).toBe('done');
  expect(await readCode(token(ada, { name: 'nothing', role: 'none' }))).toBe('bad_request');
  for (let i = 1; i < 50; i++) await token(ada, { name: `n${i}` });
  expect(await readCode(token(ada, { name: 'more' }))).toBe('conflict');
});

it('of too many unknown ones an address is refused, but for those that were right there', async () => {
  const ada = await person('ada', 'viewer');
  const known = (await token(ada, { name: 'known' })).secret;
  const fresh = (await token(ada, { name: 'fresh' })).secret;
  const here = { address: place() };
  expect(await whoIs(known, here)).not.toBeNull();
  const wrong = (n: number) => `colonnade_${String(n).padStart(43, '0')}`;
  for (let n = 0; n < UNKNOWN_TOKENS; n++) expect(await whoIs(wrong(n), here)).toBeNull();
  expect(await readCode(whoIs(wrong(0), here))).toBe('too_often');
  // A valid token is refused too: it may have been guessed.
  expect(await readCode(whoIs(fresh, here))).toBe('too_often');
  expect(await whoIs(known, here)).not.toBeNull();
  expect(await whoIs(fresh)).not.toBeNull();
});

it('a stream that was begun with it ends when it is revoked, and when it gives less', async () => {
  const ada = await person('ada', 'operator');
  const { token: made, secret } = await token(ada, { role: 'operator' });
  let still: () => Promise<boolean> = async () => false;
  const route = handle('GET /api/jobs/events', {
    ...DESCRIBED,
    act: ({ stillSignedIn }) => {
      still = stillSignedIn;
      return {};
    },
  });
  const host = '127.0.0.1:3000';
  const begin = async () => {
    const request = new Request(`http://${host}/api/jobs/events`);
    const headers = new Headers({ host, authorization: `Bearer ${secret}`, 'x-colonnade-address': place() });
    Object.defineProperty(request, 'headers', { value: headers });
    expect((await route.answer(request)).status).toBe(200);
  };
  await begin();
  expect(await still()).toBe(true);
  await updateUser(LOCAL_ADMIN, ada.id, { role: 'viewer' });
  expect(await still()).toBe(false);
  await begin();
  expect(await still()).toBe(true);
  await revokeToken(LOCAL_ADMIN, made.id);
  expect(await still()).toBe(false);
});
