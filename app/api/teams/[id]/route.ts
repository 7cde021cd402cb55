import { handle, WithId } from '@/lib/http/handle';
import { TeamUpdate } from '@/lib/model/accounts/teams';
import { removeTeam, updateTeam } from '@/lib/users/teams/edit-teams';

export const PATCH = handle({ params: WithId, body: TeamUpdate }, async ({ actor, params, body }) => ({
  team: await updateTeam(actor, params.id, body),
}));

export const DELETE = handle({ params: WithId }, ({ actor, params }) => removeTeam(actor, params.id));
