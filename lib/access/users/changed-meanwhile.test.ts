import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { listSessionRows } from '@/lib/store/accounts/sessions';
import { temporaryData } from '@/test/temporary-data';
import { addUser, resetUser, updateUser } from './manage-users';
import { changePassword } from './own-password';
import { signIn } from './sign-in';
import { useLink as openLink } from './use-link';

/** Tests changes between the check of a password and the action that it allows. */
const meanwhile = vi.hoisted(() => ({ act: async () => {} }));
vi.mock('@/lib/access/auth/password', async (original) => {
  const real = await original<typeof import('@/lib/access/auth/password')>();
  return {
    ...real,
    verifyPassword: async (...asked: Parameters<typeof real.verifyPassword>) => {
      const right = await real.verifyPassword(...asked);
      const act = meanwhile.act;
      meanwhile.act = async () => {};
      await act();
      return right;
    },
  };
});

const PASSWORD = 'correct horse battery';
const from = { address: '10.0.0.1', agent: 'test' };
const readCode = (act: Promise<unknown>) => act.then(() => 'done').catch((error) => error.code);

let data: ReturnType<typeof temporaryData>;
let id = '';
beforeEach(async () => {
  data = temporaryData();
  const { user, link } = await addUser(LOCAL_ADMIN, { name: 'ada', role: 'viewer', grants: [] });
  await openLink({ token: link.token, password: PASSWORD }, from);
  id = user.id;
});
afterEach(() => {
  meanwhile.act = async () => {};
  data.remove();
});

const changes = {
  disabled: () => updateUser(LOCAL_ADMIN, id, { disabled: true }).then(() => {}),
  reset: async () => {
    const { token } = await resetUser(LOCAL_ADMIN, id);
    await openLink({ token, password: 'another horse battery' }, from);
  },
};
it.each(Object.entries(changes))(
  'while a password is checked, the account is %s: nobody signs in by it',
  async (what, change) => {
    meanwhile.act = change;
    const sessions = what === 'reset' ? 1 : 0;
    expect(await readCode(signIn({ name: 'ada', password: PASSWORD }, from))).toBe('wrong_credentials');
    expect(await listSessionRows(id)).toHaveLength(sessions);
  },
);

it.each(Object.entries(changes))(
  'while a password is checked, the account is %s: it changes none',
  async (_what, change) => {
    const actor: Actor = { id, name: 'ada', role: 'viewer', via: 'page' };
    meanwhile.act = change;
    const asked = { current: PASSWORD, next: 'a third horse battery' };
    expect(await readCode(changePassword(actor, asked, from))).toBe('wrong_credentials');
  },
);
