import { verify } from '@node-rs/argon2';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ABSOLUTE_MS, findSessionActor, IDLE_MS } from '@/lib/access/auth/sessions';
import { type Actor, ANONYMOUS, LOCAL_ADMIN } from '@/lib/model/actor';
import { insertUserRow, updateUserRow } from '@/lib/store/accounts/users';
import { getDb, runTransaction } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { makeFirstAdminLink } from './make-password-link';
import { addUser, listUsers, resetUser, updateUser } from './manage-users';
import { changePassword } from './own-password';
import { listOwnSessions, revokeOwnSession, signOut } from './own-sessions';
import { signIn } from './sign-in';
import { useLink as openLink } from './use-link';

vi.mock('@node-rs/argon2', { spy: true });

const PASSWORD = 'correct horse battery';
let address = 0;
const from = (at = `10.0.0.${++address}`) => ({ address: at, agent: 'test' });
const whoIs = (token: string, now = Date.now()) => findSessionActor(token, { via: 'page', use: false, now });
const readCode = (act: Promise<unknown>) => act.then(() => 'done').catch((error) => error.code);

async function person(name: string, role: Actor['role'] = 'viewer'): Promise<{ id: string; token: string }> {
  const { user, link } = await addUser(LOCAL_ADMIN, { name, role, grants: [] });
  return { id: user.id, token: await openLink({ token: link.token, password: PASSWORD }, from()) };
}

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

describe('the first administrator', () => {
  it('is made by the last link that a start has printed, once', async () => {
    const older = await makeFirstAdminLink();
    const link = await makeFirstAdminLink();
    const asked = { name: 'ada', password: PASSWORD };
    expect(await readCode(openLink({ ...asked, token: older!.token }, from()))).toBe('link_invalid');
    const both = [1, 2].map((n) => openLink({ token: link!.token, password: PASSWORD, name: `ada${n}` }, from()));
    const made = (await Promise.allSettled(both)).map((one) => one.status);
    expect(made.toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await listUsers(LOCAL_ADMIN)).map(({ role }) => role)).toEqual(['admin']);
    expect(await makeFirstAdminLink()).toBeNull();
  });

  it('is not made where there is an administrator of whichever kind; a link from before ends', async () => {
    const { token } = (await makeFirstAdminLink())!;
    const admin = { name: 'ada@corp', role: 'admin', password: null, createdAt: 1, lastSignInAt: null } as const;
    await runTransaction((tx) => insertUserRow({ ...admin, id: 'p1', disabled: false, provider: 'corp' }, tx));
    expect(await makeFirstAdminLink()).toBeNull();
    expect(await readCode(openLink({ token, name: 'eve', password: PASSWORD }, from()))).toBe('link_invalid');
    await runTransaction((tx) => updateUserRow('p1', { disabled: true }, tx));
    expect(await makeFirstAdminLink()).not.toBeNull();
    // The invited administrator has not signed in yet: the creator of that account can make another link.
    await addUser(LOCAL_ADMIN, { name: 'bob', role: 'admin', grants: [] });
    expect(await makeFirstAdminLink()).toBeNull();
  });

  it('needs a name, and a password that is not the name', async () => {
    const { token } = (await makeFirstAdminLink())!;
    expect(await readCode(openLink({ token, password: PASSWORD }, from()))).toBe('bad_request');
    expect(await readCode(openLink({ token, name: 'ada.lovelace', password: 'Ada.Lovelace1' }, from()))).toBe(
      'weak_password',
    );
    expect(await readCode(openLink({ token, name: 'ada', password: 'aaaaaaaaaaaa' }, from()))).toBe('weak_password');
  });

  it('is not made by a link that is older than a day', async () => {
    const { token, expiresAt } = (await makeFirstAdminLink())!;
    const db = await getDb(undefined);
    await db
      .updateTable('one_time_links')
      .set({ expires_at: expiresAt - 24 * 3_600_001 })
      .execute();
    expect(await readCode(openLink({ token, name: 'ada', password: PASSWORD }, from()))).toBe('link_invalid');
  });
});

describe('signing in', () => {
  it('gives a session; name without regard to case', async () => {
    const { id } = await person('Ada');
    const token = await signIn({ name: 'aDA', password: PASSWORD }, from());
    expect(await whoIs(token)).toMatchObject({ id, name: 'Ada', role: 'viewer', grants: [] });
    expect(await whoIs(`${token.slice(0, -1)}_`)).toBeNull();
  });

  it('answers a wrong password, an unknown name and a disabled account alike, after the same work', async () => {
    await person('ada');
    const gone = await person('gone');
    await updateUser(LOCAL_ADMIN, gone.id, { disabled: true });
    const answered = async (name: string, password: string) => {
      vi.mocked(verify).mockClear();
      const { code, message } = await signIn({ name, password }, from()).catch((failed) => failed);
      // These fields of the stored hash determine how long its check takes.
      const checked = vi.mocked(verify).mock.calls.map(([kept]) => String(kept).split('$').slice(1, 4).join(' '));
      return { code, message, checked };
    };
    const wrong = await answered('ada', 'wrong');
    expect(wrong).toEqual({
      code: 'wrong_credentials',
      message: 'The name or the password is wrong.',
      checked: ['argon2id v=19 m=19456,t=2,p=1'],
    });
    expect(await answered('nobody', 'wrong')).toEqual(wrong);
    expect(await answered('gone', PASSWORD)).toEqual(wrong);
  });

  it('stores neither password nor token', async () => {
    const { token } = await person('ada');
    const db = await getDb(undefined);
    const text = JSON.stringify([
      await db.selectFrom('users').selectAll().execute(),
      await db.selectFrom('sessions').selectAll().execute(),
      await db.selectFrom('one_time_links').selectAll().execute(),
      await db.selectFrom('audit').selectAll().execute(),
    ]);
    expect(text).toContain('$argon2id$');
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toContain(token);
  });

  it('lets ten wrong tries pass per account and address, then none, however right', async () => {
    await person('ada');
    const here = from();
    const tries = Array.from({ length: 12 }, () => readCode(signIn({ name: 'ada', password: 'wrong' }, here)));
    const codes = await Promise.all(tries);
    expect(codes.filter((code) => code === 'wrong_credentials')).toHaveLength(10);
    expect(codes.filter((code) => code === 'too_often')).toHaveLength(2);
    expect(await readCode(signIn({ name: 'ADA', password: PASSWORD }, here))).toBe('too_often');
    // The user is not locked out at other addresses.
    expect(await readCode(signIn({ name: 'ada', password: PASSWORD }, from()))).toBe('done');
  });
});

describe('a session', () => {
  it('ends when it is not used, and after twelve hours whatever is done', async () => {
    const { token } = await person('ada');
    const now = Date.now();
    expect(await whoIs(token, now + IDLE_MS - 2000)).not.toBeNull();
    expect(await whoIs(token, now + IDLE_MS)).toBeNull();
    for (let at = now; at <= now + ABSOLUTE_MS - IDLE_MS; at += IDLE_MS / 2)
      expect(await findSessionActor(token, { via: 'page', use: true, now: at })).not.toBeNull();
    const last = now + ABSOLUTE_MS - IDLE_MS / 2;
    expect(await findSessionActor(token, { via: 'page', use: true, now: last })).not.toBeNull();
    expect(await whoIs(token, now + ABSOLUTE_MS + 1000)).toBeNull();
  });

  it('ends by signing out, and by its person only', async () => {
    const ada = await person('ada');
    const eve = await person('eve');
    const second = await signIn({ name: 'ada', password: PASSWORD }, from());
    const [actor, other] = [(await whoIs(ada.token))!, (await whoIs(eve.token))!];
    const sessions = await listOwnSessions(actor);
    expect(sessions.map(({ current }) => current).toSorted()).toEqual([false, true]);
    expect(await listOwnSessions(other)).toHaveLength(1);
    const foreign = sessions.find(({ current }) => !current)!;
    expect(await readCode(revokeOwnSession(other, foreign.id))).toBe('not_found');
    expect(await whoIs(second)).not.toBeNull();
    await revokeOwnSession(actor, foreign.id);
    expect(await whoIs(second)).toBeNull();
    await signOut(actor);
    expect(await whoIs(ada.token)).toBeNull();
  });

  it('ends when the role changes, the account is disabled or the password is reset or changed', async () => {
    const { id, token } = await person('ada');
    await updateUser(LOCAL_ADMIN, id, { role: 'operator' });
    expect(await whoIs(token)).toBeNull();
    const again = await signIn({ name: 'ada', password: PASSWORD }, from());
    expect((await whoIs(again))?.role).toBe('operator');
    await resetUser(LOCAL_ADMIN, id);
    expect(await whoIs(again)).toBeNull();
    expect(await readCode(signIn({ name: 'ada', password: PASSWORD }, from()))).toBe('wrong_credentials');
    const { token: link } = await resetUser(LOCAL_ADMIN, id);
    const third = await openLink({ token: link, password: PASSWORD }, from());
    expect(await readCode(openLink({ token: link, password: PASSWORD }, from()))).toBe('link_invalid');
    const actor = (await whoIs(third))!;
    const next = { current: PASSWORD, next: 'another long password' };
    expect(await readCode(changePassword(actor, { ...next, current: 'wrong-canary' }, from()))).toBe(
      'wrong_credentials',
    );
    const rows = await (await getDb(undefined)).selectFrom('audit').selectAll().orderBy('seq', 'desc').execute();
    expect(rows[0]).toMatchObject({
      action: 'user.password',
      outcome: 'refused',
      actor_id: actor.id,
      subject: actor.id,
    });
    expect(JSON.stringify(rows)).not.toContain('wrong-canary');
    const fourth = await changePassword(actor, next, from());
    expect(await whoIs(third)).toBeNull();
    expect(await whoIs(fourth)).not.toBeNull();
    await updateUser(LOCAL_ADMIN, id, { disabled: true });
    expect(await whoIs(fourth)).toBeNull();
  });
});

describe('managing users', () => {
  it('is for administrators; a refusal is on record', async () => {
    const { token } = await person('ada', 'operator');
    const actor = (await whoIs(token))!;
    expect(await readCode(listUsers(actor))).toBe('forbidden');
    expect(await readCode(listUsers(ANONYMOUS))).toBe('sign_in_needed');
    expect(await readCode(addUser(actor, { name: 'eve', role: 'admin', grants: [] }))).toBe('forbidden');
    expect(await readCode(updateUser(actor, actor.id, { role: 'admin' }))).toBe('forbidden');
    const db = await getDb(undefined);
    const refused = await db
      .selectFrom('audit')
      .select(['action', 'subject', 'actor_name'])
      .where('outcome', '=', 'refused')
      .execute();
    expect(refused).toEqual([
      { action: 'user.add', subject: 'eve', actor_name: 'ada' },
      { action: 'user.update', subject: actor.id, actor_name: 'ada' },
    ]);
  });

  it('keeps one administrator who can sign in', async () => {
    const { id } = await person('ada', 'admin');
    await addUser(LOCAL_ADMIN, { name: 'invited', role: 'admin', grants: [] });
    expect(await readCode(updateUser(LOCAL_ADMIN, id, { role: 'viewer' }))).toBe('last_admin');
    expect(await readCode(updateUser(LOCAL_ADMIN, id, { disabled: true }))).toBe('last_admin');
    await person('bob', 'admin');
    expect(await readCode(updateUser(LOCAL_ADMIN, id, { role: 'viewer' }))).toBe('done');
  });

  it('knows a name once', async () => {
    await person('Ada');
    expect(await readCode(addUser(LOCAL_ADMIN, { name: 'ada', role: 'viewer', grants: [] }))).toBe('conflict');
  });
});
