import { handle } from '@/lib/http/handle';
import { TeamInput } from '@/lib/model/accounts/teams';
import { addTeam } from '@/lib/users/teams/edit-teams';
import { listTeams } from '@/lib/users/teams/list-teams';

export const GET = handle({}, async ({ actor }) => ({ teams: await listTeams(actor) }));

export const POST = handle({ body: TeamInput, status: 201 }, async ({ actor, body }) => ({
  team: await addTeam(actor, body),
}));
