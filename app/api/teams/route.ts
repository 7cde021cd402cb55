import { addTeam } from '@/lib/access/users/teams/edit-teams';
import { listTeams } from '@/lib/access/users/teams/list-teams';
import { handle } from '@/lib/http/handle';
import { TeamInput } from '@/lib/model/accounts/teams';

export const GET = handle(
  {
    summary: 'Teams by name, and which are yours; members and grants for administrators.',
    answer: 'teams.',
  },
  async ({ actor }) => ({
    teams: await listTeams(actor),
  }),
);
export const POST = handle(
  {
    summary: 'A new team (administrators). It owns the prefixes whose owner is called like it.',
    answer: 'team',
    body: TeamInput,
    status: 201,
  },
  async ({ actor, body }) => ({
    team: await addTeam(actor, body),
  }),
);
