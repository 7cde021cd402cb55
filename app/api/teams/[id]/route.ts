import { removeTeam, updateTeam } from '@/lib/access/users/teams/edit-teams';
import { handle, WithId } from '@/lib/http/handle';
import { TeamUpdate } from '@/lib/model/accounts/teams';

export const PATCH = handle(
  {
    summary: 'Members or grants of a team. Whose rights change signs in anew.',
    answer: 'team',
    params: WithId,
    body: TeamUpdate,
  },
  async ({ actor, params, body }) => ({
    team: await updateTeam(actor, params.id, body),
  }),
);

export const DELETE = handle(
  { summary: 'Remove a team. Its prefixes stay owned by its name.', answer: 'id', params: WithId },
  ({ actor, params }) => removeTeam(actor, params.id),
);
