import type { Team, TeamMember } from '@/lib/model/accounts/teams';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { listTeamGrantRows, listTeamMemberRows, listTeamRows, type TeamRow } from '@/lib/store/accounts/teams';
import { getUserRow } from '@/lib/store/accounts/users';
import type { Tx } from '@/lib/store/open-store';

/** Returns a team with its members, sorted by name, and its grants. */
export async function toTeam({ id, name }: TeamRow, actor: Actor, tx?: Tx): Promise<Team> {
  const rows = await listTeamMemberRows({ teamId: id }, tx);
  const members = await Promise.all(
    rows.map(async ({ userId, byProvider }): Promise<TeamMember> => {
      const user = await getUserRow(userId, tx);
      return { id: userId, name: user?.name ?? '', byProvider };
    }),
  );
  members.sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    id,
    name,
    mine: members.some((one) => one.id === actor.id),
    members,
    grants: await listTeamGrantRows(id, tx),
  };
}

export async function getTeamRowOrThrow(id: string, tx: Tx): Promise<TeamRow> {
  const row = (await listTeamRows(tx)).find((one) => one.id === id);
  if (row === undefined) throw new AppError('not_found', 'There is no such team. It may have been removed.', { id });
  return row;
}
