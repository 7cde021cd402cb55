import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findApiTokenActor } from '@/lib/access/auth/api-tokens';
import { findSessionActor } from '@/lib/access/auth/sessions';
import { forgetTries } from '@/lib/access/auth/try-limit';
import { registerInstance } from '@/lib/instances/register-instance';
import { removeInstance } from '@/lib/instances/remove-instance';
import { updateInstance } from '@/lib/instances/update-instance';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { InstanceInput } from '@/lib/model/servers/instance';
import { confirmSessionRow } from '@/lib/store/accounts/sessions';
import { getDb, runTransaction } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { addUser, resetUser, updateUser } from './manage-users';
import { confirmSignIn } from './own-password';
import { signIn } from './sign-in';
import { addTeam, removeTeam, updateTeam } from './teams/teams';
import { createToken } from './tokens';
import { useLink as openLink } from './use-link';

const PASSWORD = 'correct horse battery';
const MINUTE = 60_000;
const from = { address: '10.0.0.1', agent: 'test' };
const readCode = (act: Promise<unknown>) => act.then(() => 'done').catch((error) => error.code);

const findActor = async (token: string) => (await findSessionActor(token, { via: 'page', use: true }))!;
const signedIn = async (name: string) => findActor(await signIn({ name, password: PASSWORD }, from));
async function register(name: string, production: boolean): Promise<string> {
  const input = {
    name,
    topology: 'standalone',
    endpoints: [{ host: '127.0.0.1', port: production ? 1 : 2 }],
    production,
  };
  return (await registerInstance(LOCAL_ADMIN, InstanceInput.parse(input))).id;
}
/** Sets the time of the last password entry to this many ms ago. */
const age = (actor: Actor, ms: number) =>
  runTransaction((tx) => confirmSessionRow(actor.sessionId!, Date.now() - ms, tx));
const rename = (actor: Actor, id: string) => readCode(updateInstance(actor, id, { owner: `${Math.random()}` }));

let data: ReturnType<typeof temporaryData>;
let ada: Actor;
beforeEach(async () => {
  data = temporaryData();
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  const { link } = await addUser(LOCAL_ADMIN, { name: 'ada', role: 'admin', grants: [] });
  await openLink({ token: link.token, password: PASSWORD }, from);
  ada = await signedIn('ada');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  forgetTries('ada', from.address);
  await data.remove();
});

it('an act on production asks for the password of the last five minutes; elsewhere it does not', async () => {
  const [shop, test] = [await register('shop', true), await register('test', false)];
  expect(await rename(ada, shop)).toBe('done');
  await age(ada, 5 * MINUTE);
  expect([await rename(ada, shop), await rename(ada, test)]).toEqual(['fresh_sign_in_needed', 'done']);
  expect(await readCode(removeInstance(ada, shop))).toBe('fresh_sign_in_needed');
  // Removing the production mark does not avoid the check either.
  expect(await readCode(updateInstance(ada, shop, { production: false }))).toBe('fresh_sign_in_needed');
  await confirmSignIn(ada, PASSWORD, from);
  expect(await rename(ada, shop)).toBe('done');
  await age(ada, 4 * MINUTE);
  expect(await rename(ada, shop)).toBe('done');
  // If the clock was set back, an old confirmation must not count as fresh.
  await age(ada, -MINUTE);
  expect(await rename(ada, shop)).toBe('fresh_sign_in_needed');
});

it('a wrong password confirms nothing, is counted and on record', async () => {
  const shop = await register('shop', true);
  await age(ada, 6 * MINUTE);
  for (let tries = 0; tries < 10; tries++)
    expect(await readCode(confirmSignIn(ada, 'not the password', from))).toBe('wrong_credentials');
  expect(await readCode(confirmSignIn(ada, PASSWORD, from))).toBe('too_often');
  expect(await rename(ada, shop)).toBe('fresh_sign_in_needed');
  const db = await getDb(undefined);
  const rows = await db.selectFrom('audit').selectAll().where('action', '=', 'session.confirm').execute();
  expect(rows.map(({ outcome }) => outcome)).toEqual(Array(10).fill('refused'));
  expect(JSON.stringify(rows)).not.toContain('not the password');
});

it('confirms the one session in which it was given, and none that has ended', async () => {
  const shop = await register('shop', true);
  const other = await signedIn('ada');
  for (const session of [ada, other]) await age(session, 6 * MINUTE);
  await confirmSignIn(other, PASSWORD, from);
  expect([await rename(ada, shop), await rename(other, shop)]).toEqual(['fresh_sign_in_needed', 'done']);
  const db = await getDb(undefined);
  await db.deleteFrom('sessions').execute();
  expect(await readCode(confirmSignIn(other, PASSWORD, from))).toBe('sign_in_needed');
  expect(await rename(other, shop)).toBe('sign_in_needed');
});

it('a session from before this was noted is not fresh', async () => {
  const shop = await register('shop', true);
  const db = await getDb(undefined);
  await db.updateTable('sessions').set({ confirmed_at: 0 }).execute();
  expect(await rename(ada, shop)).toBe('fresh_sign_in_needed');
});

it('a token never acts on production; who is not signed in by anybody is not asked', async () => {
  const [shop, test] = [await register('shop', true), await register('test', false)];
  const { secret } = await createToken(ada, { name: 'ci', role: 'admin', grants: [], days: 1 });
  const program = (await findApiTokenActor(secret, { address: '10.0.0.2', use: true }))!;
  expect([await rename(program, shop), await rename(program, test)]).toEqual(['person_needed', 'done']);
  expect(await readCode(confirmSignIn(program, PASSWORD, from))).toBe('person_needed');
  // Both refusals are recorded. It is not recorded that a page asks for the password again, nor what was entered.
  await age(ada, 6 * MINUTE);
  expect(await rename(ada, shop)).toBe('fresh_sign_in_needed');
  const rows = await (await getDb(undefined))
    .selectFrom('audit')
    .selectAll()
    .where('outcome', '=', 'refused')
    .execute();
  expect(rows.map(({ action, subject, actor_name: by }) => [action, subject, by])).toEqual([
    ['instance.update', shop, 'ada (token ci)'],
    ['session.confirm', 'own', 'ada (token ci)'],
  ]);
  expect(JSON.stringify(rows)).not.toContain(PASSWORD);
  expect(await rename(LOCAL_ADMIN, shop)).toBe('done');
  expect(await readCode(confirmSignIn(LOCAL_ADMIN, PASSWORD, from))).toBe('unsupported');
});

it('whoever may not do it at all is not asked for a password', async () => {
  const shop = await register('shop', true);
  const { link } = await addUser(LOCAL_ADMIN, { name: 'bob', role: 'viewer', grants: [] });
  const bob = await findActor(await openLink({ token: link.token, password: PASSWORD }, from));
  await age(bob, 6 * MINUTE);
  expect(await rename(bob, shop)).toBe('forbidden');
});

it('making another way in asks for it everywhere, and taking one away does not', async () => {
  const { user: bob } = await addUser(LOCAL_ADMIN, { name: 'bob', role: 'viewer', grants: [] });
  const team = await addTeam(LOCAL_ADMIN, { name: 'shop', members: [], grants: [] });
  const acts = [
    (n: number) => addUser(ada, { name: `eve${n}`, role: 'admin', grants: [] }),
    () => resetUser(ada, bob.id),
    () => updateUser(ada, bob.id, { role: 'operator' }),
    (n: number) => addTeam(ada, { name: `team${n}`, members: [], grants: [] }),
    () => updateTeam(ada, team.id, { members: [bob.id] }),
    (n: number) => createToken(ada, { name: `ci${n}`, role: 'viewer', grants: [], days: 1 }),
  ];
  const codes = async (n: number) => {
    const seen = [];
    for (const act of acts) seen.push(await readCode(act(n)));
    return seen;
  };
  await age(ada, 6 * MINUTE);
  expect(await codes(1)).toEqual(Array(6).fill('fresh_sign_in_needed'));
  expect(await readCode(removeTeam(ada, team.id))).toBe('done');
  acts.splice(4, 1);
  await confirmSignIn(ada, PASSWORD, from);
  expect(await codes(2)).toEqual(Array(5).fill('done'));
});
