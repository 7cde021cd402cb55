import { addTeam, listTeams, removeTeam, updateTeam } from '@/lib/access/users/teams/teams';
import { handle } from '@/lib/http/handle';
import { TeamInput, TeamUpdate } from '@/lib/model/accounts/teams';

export const teamRoutes = [
  handle('GET /api/teams', {
    summary: 'List the teams by name, and which of them are yours. Administrators also see members and grants.',
    answer: 'teams: all of them.',
    act: async ({ actor }) => ({ teams: await listTeams(actor) }),
  }),
  handle('POST /api/teams', {
    summary: 'Add a team; only administrators may. Prefixes whose owner is the name of the team belong to it.',
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
];
