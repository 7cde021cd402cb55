import { addUser, endUserSessions, listUsers, resetUser, updateUser } from '@/lib/access/users/manage-users';
import { handle } from '@/lib/http/handle';
import { UserInput, UserUpdate } from '@/lib/model/accounts/accounts';

export const userRoutes = [
  handle('GET /api/users', {
    summary: 'List everybody with an account; only administrators may.',
    answer: 'users: by name.',
    act: async ({ actor }) => ({ users: await listUsers(actor) }),
  }),
  handle('POST /api/users', {
    summary: 'Add an account; only administrators may.',
    answer: 'user: the account. link: the one-time link that sets its password.',
    body: UserInput,
    status: 201,
    act: ({ actor, body }) => addUser(actor, body),
  }),
  handle('PATCH /api/users/{id}', {
    summary:
      'Change the role or the grants of a user, or whether the account may be used. The user has to sign in again.',
    answer: 'user: the user as it is now.',
    body: UserUpdate,
    act: async ({ actor, id, body }) => ({ user: await updateUser(actor, id, body) }),
  }),
  handle('POST /api/users/{id}/reset', {
    summary: 'Reset a lost password. The old password and all sessions of the user end.',
    answer: 'link: the one-time link that sets a new password.',
    act: async ({ actor, id }) => ({ link: await resetUser(actor, id) }),
  }),
  handle('DELETE /api/users/{id}/sessions', {
    summary: 'Sign a user out everywhere.',
    answer: 'ended: how many sessions have ended.',
    act: ({ actor, id }) => endUserSessions(actor, id),
  }),
];
