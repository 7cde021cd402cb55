import { removeTeam, updateTeam } from '@/lib/access/users/teams/edit-teams';
import { handle, WithId } from '@/lib/http/handle';
import { TeamUpdate } from '@/lib/model/accounts/teams';

export const PATCH = handle(
  {
    summary: 'Change the members or grants of a team. People whose rights change have to sign in again.',
    answer: 'team: the team as it is now.',
    params: WithId,
    body: TeamUpdate,
  },
  async ({ actor, params, body }) => ({
    team: await updateTeam(actor, params.id, body),
  }),
);

export const DELETE = handle(
  {
    summary: 'Remove a team. Its prefixes keep its name as their owner.',
    answer: 'id: the team that was removed.',
    params: WithId,
  },
  ({ actor, params }) => removeTeam(actor, params.id),
);
