import { inFormatAndOrder } from '@/app/api/in-format';
import { exportTeams } from '@/lib/access/users/export/export-teams';
import { addTeam } from '@/lib/access/users/teams/edit-teams';
import { listTeams } from '@/lib/access/users/teams/list-teams';
import { handle } from '@/lib/http/handle';
import { TeamInput } from '@/lib/model/accounts/teams';
import { TeamsQuery } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'Teams by name, and which are yours; members and grants for administrators.',
    answer: 'teams, or the file.',
    query: TeamsQuery,
  },
  ({ actor, query: { format, ...order }, ...asked }) => {
    const list = async () => ({ teams: await listTeams(actor) });
    return inFormatAndOrder(asked, { format, order }, list, (shape) => exportTeams(actor, shape));
  },
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
