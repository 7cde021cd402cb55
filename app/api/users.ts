import { addUser, endUserSessions, listUsers, resetUser, updateUser } from '@/lib/access/users/manage-users';
import { addTeam, listTeams, removeTeam, updateTeam } from '@/lib/access/users/teams/teams';
import { handle, type Route } from '@/lib/http/handle';
import { UserInput, UserUpdate } from '@/lib/model/accounts/accounts';
import { TeamInput, TeamUpdate } from '@/lib/model/accounts/teams';

export const userRoutes: Route[] = [
  handle('GET /api/teams', {
    summary: 'List the teams by name, and which of them are yours. Administrators also see members and grants.',
    answer: 'teams: all of them.',
    act: async ({ actor }) => ({ teams: await listTeams(actor) }),
  }),
  handle('POST /api/teams', {
    summary: 'Add a team; only administrators may. It owns the prefixes whose owner has its name.',
    answer: 'team: the team that was added.',
    body: TeamInput,
    status: 201,
    act: async ({ actor, body }) => ({ team: await addTeam(actor, body) }),
  }),
  handle('PATCH /api/teams/{id}', {
    summary: 'Change the members or grants of a team. People whose rights change have to sign in again.',
    answer: 'team: the team as it is now.',
    body: TeamUpdate,
    act: async ({ actor, id, body }) => ({ team: await updateTeam(actor, id, body) }),
  }),
  handle('DELETE /api/teams/{id}', {
    summary: 'Remove a team. Its prefixes keep its name as their owner.',
    answer: 'id: the team that was removed.',
    act: ({ actor, id }) => removeTeam(actor, id),
  }),
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
