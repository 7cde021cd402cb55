import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findApiTokenActor } from '@/lib/access/auth/api-tokens';
import { assertFreshSignIn } from '@/lib/access/auth/verb';
import { addUser, listUsers, resetUser, updateUser } from '@/lib/access/users/manage-users';
import { signIn } from '@/lib/access/users/sign-in';
import { addTeam, listTeams, updateTeam } from '@/lib/access/users/teams/teams';
import { createToken } from '@/lib/access/users/tokens';
import { useLink as openLink } from '@/lib/access/users/use-link';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { getDb } from '@/lib/store/open-store';
import { IdentityProvider } from '@/test/servers/identity-provider';
import { Walker } from '@/test/servers/walk-to-provider';
import { temporaryData } from '@/test/temporary-data';
import { Browser, ORIGIN, problem } from './colonnade-browser';

let data: ReturnType<typeof temporaryData>;
let idp: IdentityProvider;

/** Writes the settings file as an administrator would. */
function configure(more: Record<string, unknown> = {}): void {
  const corp = {
    id: 'corp',
    label: 'Corp sign-in',
    issuer: idp.issuer,
    clientId: 'colonnade',
    scopes: ['openid', 'profile', 'groups'],
    groups: [
      { group: 'redis-admins', role: 'admin' },
      { group: 'shop', role: 'viewer', grants: [{ kind: 'tag', value: 'shop', role: 'operator' }] },
    ],
    ...more,
  };
  const file = join(data.dir, `oidc-${Math.random()}.json`);
  writeFileSync(file, JSON.stringify({ providers: [corp] }));
  vi.stubEnv('COLONNADE_OIDC', file);
  vi.stubEnv('COLONNADE_OIDC_SECRET_CORP', idp.clientSecret);
}
const audit = async () => {
  const db = await getDb(undefined);
  const rows = await db
    .selectFrom('audit')
    .select(['action', 'outcome', 'actor_name', 'details'])
    .orderBy('seq')
    .execute();
  return rows.map(({ action, outcome, actor_name, details }) => ({
    action,
    outcome,
    who: actor_name,
    ...(JSON.parse(details) as { provider?: string; why?: string }),
  }));
};
const readCode = (act: Promise<unknown>) => act.then(() => 'done').catch((error) => error.code);

beforeEach(async () => {
  data = temporaryData();
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  vi.stubEnv('COLONNADE_ORIGIN', ORIGIN);
  vi.stubEnv('PORT', '3999');
  idp = await IdentityProvider.start({ origin: ORIGIN });
  idp.people.set('s-ada', { name: 'ada', groups: ['shop', 'else'] });
  idp.people.set('s-eve', { name: 'eve', groups: ['else'] });
  configure();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await idp.stop();
  await data.remove();
});

describe('somebody whom the provider knows', () => {
  it('comes in with what their groups give, back to where they wanted to go', async () => {
    const browser = new Browser();
    expect(await browser.signIn('s-ada', '/instances?x=1')).toBe('/instances?x=1');
    expect(await browser.who()).toMatchObject({ name: 'ada', role: 'viewer', provider: 'corp' });
    const [user] = await listUsers(LOCAL_ADMIN);
    expect(user).toMatchObject({
      provider: 'corp',
      hasPassword: false,
      grants: [{ kind: 'tag', value: 'shop', role: 'operator' }],
    });
    expect(await audit()).toMatchObject([
      { action: 'user.add', who: 'ada', provider: 'corp', outcome: 'done' },
      { action: 'session.start', who: 'ada', provider: 'corp', outcome: 'done' },
    ]);
    // The second sign-in uses the same account.
    expect(await new Browser().signIn('s-ada')).toBe('/');
    expect(await listUsers(LOCAL_ADMIN)).toHaveLength(1);
  });

  it('stays out without a group, and no account is made', async () => {
    const browser = new Browser();
    expect(problem(await browser.signIn('s-eve'))).toBe('not_admitted');
    expect(await browser.who()).toBeNull();
    expect(await listUsers(LOCAL_ADMIN)).toEqual([]);
    expect(await audit()).toMatchObject([{ action: 'session.start', outcome: 'refused', why: 'group' }]);
    configure({ admit: 'everyone', role: 'viewer' });
    expect(await browser.signIn('s-eve')).toBe('/');
    expect(await browser.who()).toMatchObject({ role: 'viewer' });
  });

  it('loses with a group what it gave, everywhere at once, tokens too', async () => {
    const [browser, other] = [new Browser(), new Browser()];
    idp.people.set('s-ada', { name: 'ada', groups: ['redis-admins'] });
    await browser.signIn('s-ada');
    await other.signIn('s-ada');
    const { id, role } = (await other.who())!;
    expect(role).toBe('admin');
    const { secret } = await createToken(LOCAL_ADMIN, { name: 't', role: 'admin', grants: [], days: 90 }, id);
    const ofToken = async () => (await findApiTokenActor(secret, { address: 'x', use: false }))?.role;
    expect(await ofToken()).toBe('admin');
    idp.people.set('s-ada', { name: 'ada', groups: ['shop'] });
    await browser.signIn('s-ada');
    expect(await browser.who()).toMatchObject({ role: 'viewer' });
    expect(await other.who()).toBeNull();
    expect(await ofToken()).toBe('viewer');
    idp.people.set('s-ada', { name: 'ada', groups: [] });
    expect(problem(await other.signIn('s-ada'))).toBe('not_admitted');
    expect(await browser.who()).toBeNull();
    expect(await ofToken()).toBeUndefined();
    expect((await listUsers(LOCAL_ADMIN))[0]).toMatchObject({ role: 'none', grants: [] });
  });

  it('is put into teams by groups, and taken out of those alone', async () => {
    configure({ groups: [{ group: 'shop', role: 'viewer', teams: ['shop', 'Carts'] }, { group: 'else' }] });
    const [browser, other] = [new Browser(), new Browser()];
    await browser.signIn('s-ada');
    const { id } = (await browser.who())!;
    const teams = async () =>
      (await listTeams(LOCAL_ADMIN)).filter(({ members }) => members?.some((one) => one.id === id));
    expect((await teams()).map(({ name }) => name)).toEqual(['Carts', 'shop']);
    const wiki = await addTeam(LOCAL_ADMIN, { name: 'wiki', members: [id], grants: [] });
    const [carts] = await teams();
    expect(await readCode(updateTeam(LOCAL_ADMIN, carts!.id, { members: [] }))).toBe('managed_by_provider');
    await other.signIn('s-ada');
    idp.people.set('s-ada', { name: 'ada', groups: ['else'] });
    await browser.signIn('s-ada');
    expect(await teams()).toMatchObject([{ id: wiki.id }]);
    expect(await other.who()).toBeNull();
  });

  it('never takes over an account of the same name', async () => {
    const { user, link } = await addUser(LOCAL_ADMIN, { name: 'Ada', role: 'admin', grants: [] });
    await openLink({ token: link.token, password: 'correct horse battery' }, { address: 'x', agent: '' });
    const browser = new Browser();
    await browser.signIn('s-ada');
    const who = (await browser.who())!;
    expect(who).toMatchObject({ name: 'ada@corp', role: 'viewer' });
    expect(who.id).not.toBe(user.id);
    // Another subject with the same name gets another account.
    idp.people.set('s-ada-2', { name: 'ada', groups: ['shop'] });
    const second = new Browser();
    await second.signIn('s-ada-2');
    expect((await second.who())!.name).toMatch(/^ada-[0-9a-f]{10}$/);
    // The same subject keeps its account under a new name.
    idp.people.set('s-ada', { name: 'Ada', groups: ['shop'] });
    await browser.signIn('s-ada');
    expect((await browser.who())!.id).toBe(who.id);
  });

  it.each(['', '   ', '../../etc', '<script>', 'a'.repeat(300), '张 伟', '\u202Eada', 'x\n{"level":"info"}'])(
    'gets a name that names allow: %j',
    async (name) => {
      idp.people.set('s-odd', { name, groups: ['shop'] });
      const browser = new Browser();
      await browser.signIn('s-odd');
      expect((await browser.who())!.name).toMatch(/^[\p{L}\p{N}._@+-]{1,64}$/u);
    },
  );

  it('stays out while the account is disabled, and while no accounts are made', async () => {
    const browser = new Browser();
    await browser.signIn('s-ada');
    const [user] = await listUsers(LOCAL_ADMIN);
    await updateUser(LOCAL_ADMIN, user!.id, { disabled: true });
    expect(await browser.who()).toBeNull();
    expect(problem(await browser.signIn('s-ada'))).toBe('not_admitted');
    await updateUser(LOCAL_ADMIN, user!.id, { disabled: false });
    configure({ createAccounts: false });
    expect(await browser.signIn('s-ada')).toBe('/');
    idp.people.set('s-new', { name: 'new', groups: ['shop'] });
    expect(problem(await new Browser().signIn('s-new'))).toBe('not_admitted');
  });

  it('has role and password from nobody here', async () => {
    await new Browser().signIn('s-ada');
    const [{ id } = { id: '' }] = await listUsers(LOCAL_ADMIN);
    expect(await readCode(updateUser(LOCAL_ADMIN, id, { role: 'admin' }))).toBe('managed_by_provider');
    expect(await readCode(updateUser(LOCAL_ADMIN, id, { grants: [] }))).toBe('managed_by_provider');
    expect(await readCode(resetUser(LOCAL_ADMIN, id))).toBe('managed_by_provider');
    expect(await readCode(signIn({ name: 'ada', password: '' }, { address: 'y', agent: '' }))).toBe(
      'wrong_credentials',
    );
  });

  it('has no rights any more when they have not signed in for so many days', async () => {
    configure({ rightsDays: 7 });
    const browser = new Browser();
    await browser.signIn('s-ada');
    const { id } = (await browser.who())!;
    const { secret } = await createToken(LOCAL_ADMIN, { name: 't', role: 'viewer', grants: [], days: 90 }, id);
    const at = (days: number) => ({ address: 'x', use: false, now: Date.now() + days * 86_400_000 });
    expect(await findApiTokenActor(secret, at(6))).not.toBeNull();
    expect(await findApiTokenActor(secret, at(8))).toBeNull();
  });
});

describe('what comes back', () => {
  it.each<[string, (claims: Record<string, unknown>) => void]>([
    ['another nonce', (claims) => Object.assign(claims, { nonce: 'x' })],
    ['no nonce', (claims) => void delete claims.nonce],
    ['another audience', (claims) => Object.assign(claims, { aud: 'wiki' })],
    ['another issuer', (claims) => Object.assign(claims, { iss: 'https://evil.example' })],
    ['a token that has expired', (claims) => Object.assign(claims, { exp: Math.floor(Date.now() / 1000) - 60 })],
    ['a token without subject', (claims) => void delete claims.sub],
    ['a token for a moment that is still to come', (claims) => Object.assign(claims, { nbf: Date.now() / 1000 + 600 })],
  ])('signs nobody in with %s', async (_what, tamper) => {
    const browser = new Browser();
    idp.tamper = tamper;
    expect(problem(await browser.signIn('s-ada'))).toBe('provider_sign_in_failed');
    expect(await browser.who()).toBeNull();
    expect(await audit()).toMatchObject([{ action: 'session.start', outcome: 'refused', provider: 'corp' }]);
    // A token without the change is accepted, so it was the change that was refused.
    idp.tamper = () => {};
    expect(await browser.signIn('s-ada')).toBe('/');
  });

  it('signs nobody in with a signature by a key that is not published', async () => {
    const browser = new Browser();
    idp.instead = (request, response) => {
      if (!request.url?.startsWith('/jwks')) return false;
      response.setHeader('content-type', 'application/json');
      response.end('{"keys":[]}');
      return true;
    };
    expect(problem(await browser.signIn('s-ada'))).toBe('provider_sign_in_failed');
    idp.instead = null;
    expect(await browser.signIn('s-ada')).toBe('/');
  });

  it('is accepted with new keys at once, also between going and coming', async () => {
    const browser = new Browser();
    await browser.signIn('s-ada');
    idp.rotateKeys();
    expect(await browser.signIn('s-ada')).toBe('/');
    const location = await browser.begin();
    const back = await browser.walk(location, 's-ada');
    idp.rotateKeys();
    expect(await browser.comeBack(back)).toBe('/');
  });

  it('counts once, in the browser that began it, with its own state', async () => {
    const [browser, other] = [new Browser(), new Browser()];
    const back = await browser.walk(await browser.begin(), 's-ada');
    // An attacker makes another user return with the attacker's code.
    await other.begin();
    expect(problem(await other.comeBack(back))).toBe('provider_sign_in_lost');
    expect(problem(await new Browser().comeBack(back))).toBe('provider_sign_in_lost');
    const wrong = new URL(back);
    wrong.searchParams.set('state', 'A'.repeat(43));
    expect(problem(await browser.comeBack(wrong))).toBe('provider_sign_in_lost');
    wrong.searchParams.delete('state');
    expect(problem(await browser.comeBack(wrong))).toBe('provider_sign_in_lost');
    expect(await browser.comeBack(back)).toBe('/');
    expect(problem(await browser.comeBack(back))).toBe('provider_sign_in_lost');
    expect(await other.who()).toBeNull();
  });

  it('refuses a code under the state of another attempt, and an issuer that is not the provider', async () => {
    const browser = new Browser();
    const [one, two] = [await browser.begin(), await browser.begin()];
    const back = await browser.walk(one, 's-ada');
    const mixed = new URL(back);
    mixed.searchParams.set('state', new URL(two).searchParams.get('state')!);
    expect(problem(await browser.comeBack(mixed))).toBe('provider_sign_in_failed');
    const foreign = new URL(back);
    foreign.searchParams.set('iss', 'https://evil.example');
    expect(problem(await browser.comeBack(foreign))).toBe('provider_sign_in_failed');
    expect(await browser.who()).toBeNull();
  });

  it('tells when the person said no, and repeats nothing of it', async () => {
    const browser = new Browser();
    const state = new URL(await browser.begin()).searchParams.get('state');
    const back = new URL(`${ORIGIN}/api/oidc/corp/callback`);
    back.search = String(
      new URLSearchParams({ state: state!, error: 'access_denied', error_description: '<b>x', iss: idp.issuer }),
    );
    const path = await browser.comeBack(back);
    expect(path).toBe('/sign-in?problem=provider_sign_in_failed&provider=corp');
  });

  it('two tabs of one browser, and two browsers, at once', async () => {
    const [browser, other] = [new Browser(), new Browser()];
    const began = [await browser.begin({ next: '/jobs' }), await browser.begin({ next: '/audit' })];
    const [jobs, logs] = [await browser.walk(began[0]!, 's-ada'), await browser.walk(began[1]!, 's-ada')];
    const third = await other.walk(await other.begin(), 's-ada');
    const ways = await Promise.all([browser.comeBack(jobs), browser.comeBack(logs), other.comeBack(third)]);
    expect(ways).toEqual(['/jobs', '/audit', '/']);
    expect(await listUsers(LOCAL_ADMIN)).toHaveLength(1);
    expect(await browser.who()).toMatchObject({ name: 'ada' });
    expect(await other.who()).toMatchObject({ name: 'ada' });
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/sign-in',
    '/api/jobs',
    '/"><script>',
  ])('leads to this server only: %s', async (next) => {
    const path = await new Browser().signIn('s-ada', next);
    expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
    expect(path).toMatch(/^\/($|%22)/);
  });

  it('an attempt ends after ten minutes', async () => {
    const browser = new Browser();
    const back = await browser.walk(await browser.begin(), 's-ada');
    const db = await getDb(undefined);
    await db
      .updateTable('sign_in_attempts')
      .set({ created_at: Date.now() - 601_000 } as never)
      .execute();
    expect(problem(await browser.comeBack(back))).toBe('provider_sign_in_lost');
  });
});

describe('once more, before an act on production', () => {
  const readFresh = async (browser: Browser) => {
    const db = await getDb(undefined);
    const [session] = await db.selectFrom('sessions').selectAll().execute();
    const who = (await browser.who())!;
    return readCode(assertFreshSignIn({ ...LOCAL_ADMIN, id: who.id, sessionId: session!.id }));
  };
  const age = async () => {
    const db = await getDb(undefined);
    await db.updateTable('sessions').set({ confirmed_at: 1 }).execute();
  };

  it('counts when the provider says that it was just now, as the same person', async () => {
    const browser = new Browser();
    await browser.signIn('s-ada');
    expect(await readFresh(browser)).toBe('done');
    await age();
    expect(await readFresh(browser)).toBe('fresh_sign_in_needed');
    idp.people.set('s-olga', { name: 'olga', groups: ['shop'] });
    const stranger = new Browser();
    const location = await browser.begin({ purpose: 'confirm' });
    const back = await new Walker().walk(location, 's-olga', `${ORIGIN}/api/oidc/corp/callback`);
    expect(problem(await stranger.comeBack(back))).toBe('provider_sign_in_lost');
    expect(problem(await browser.comeBack(back))).toBe('fresh_sign_in_unproven');
    expect(await readFresh(browser)).toBe('fresh_sign_in_needed');
    expect(await listUsers(LOCAL_ADMIN)).toHaveLength(1);
    expect(await browser.confirm('s-ada')).toBe('/');
    expect(await readFresh(browser)).toBe('done');
    expect((await audit()).filter(({ action }) => action === 'session.confirm')).toMatchObject([
      { outcome: 'refused', why: 'another person', who: 'ada' },
      { outcome: 'done', who: 'ada' },
    ]);
  });

  it.each<[string, (claims: Record<string, unknown>) => void]>([
    ['says that it was an hour ago', (claims) => Object.assign(claims, { auth_time: Date.now() / 1000 - 3600 })],
    ['says nothing of it', (claims) => void delete claims.auth_time],
  ])('does not count when the provider %s', async (_what, tamper) => {
    const browser = new Browser();
    await browser.signIn('s-ada');
    await age();
    idp.tamper = tamper;
    expect(['fresh_sign_in_unproven', 'provider_sign_in_failed']).toContain(problem(await browser.confirm('s-ada')));
    expect(await readFresh(browser)).toBe('fresh_sign_in_needed');
  });

  it('a sign-in is as old as the provider says, not as the session', async () => {
    const browser = new Browser();
    idp.tamper = (claims) => Object.assign(claims, { auth_time: Math.floor(Date.now() / 1000) - 3600 });
    await browser.signIn('s-ada');
    expect(await readFresh(browser)).toBe('fresh_sign_in_needed');
  });

  it('takes what a group gave meanwhile no more', async () => {
    const browser = new Browser();
    await browser.signIn('s-ada');
    idp.people.set('s-ada', { name: 'ada', groups: [] });
    expect(problem(await browser.confirm('s-ada'))).toBe('sign_in_needed');
    expect(await browser.who()).toBeNull();
  });

  it('needs somebody who is signed in', async () => {
    expect(await readCode(new Browser().begin({ purpose: 'confirm' }))).toBe('sign_in_needed');
  });
});

it('signing out leads to the provider, which is told where to lead back', async () => {
  const browser = new Browser();
  await browser.signIn('s-ada');
  const location = new URL((await browser.leave())!);
  expect(location.origin).toBe(idp.issuer);
  expect(location.searchParams.get('post_logout_redirect_uri')).toBe(`${ORIGIN}/sign-in`);
  expect((await fetch(location)).status).toBe(200);
  expect(await browser.who()).toBeNull();
});

it('keeps neither the secret nor a token, a code or a verifier', async () => {
  const browser = new Browser();
  const location = new URL(await browser.begin());
  const back = await browser.walk(location.href, 's-ada');
  const db = await getDb(undefined);
  const attempts = JSON.stringify(await db.selectFrom('sign_in_attempts').selectAll().execute());
  for (const name of ['state', 'nonce']) expect(attempts).not.toContain(location.searchParams.get(name));
  for (const cookie of browser.cookies.values()) expect(attempts).not.toContain(cookie);
  await browser.comeBack(back);
  const kept = JSON.stringify([
    await db.selectFrom('sign_in_attempts').selectAll().execute(),
    await db.selectFrom('identities').selectAll().execute(),
    await db.selectFrom('users').selectAll().execute(),
    await db.selectFrom('sessions').selectAll().execute(),
    await audit(),
  ]);
  for (const secret of [idp.clientSecret, back.searchParams.get('code')!, 'eyJ']) expect(kept).not.toContain(secret);
});
