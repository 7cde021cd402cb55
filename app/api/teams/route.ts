import { addTeam } from '@/lib/access/users/teams/edit-teams';
import { listTeams } from '@/lib/access/users/teams/list-teams';
import { handle } from '@/lib/http/handle';
import { TeamInput } from '@/lib/model/accounts/teams';

export const GET = handle(
  {
    summary: 'List the teams by name, and which of them are yours. Administrators also see members and grants.',
    answer: 'teams: all of them.',
  },
  async ({ actor }) => ({
    teams: await listTeams(actor),
  }),
);
export const POST = handle(
  {
    summary: 'Add a team; only administrators may. It owns the prefixes whose owner has its name.',
    answer: 'team: the team that was added.',
    body: TeamInput,
    status: 201,
  },
  async ({ actor, body }) => ({
    team: await addTeam(actor, body),
  }),
);
