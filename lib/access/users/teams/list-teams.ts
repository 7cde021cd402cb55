import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import { allows } from '@/lib/model/access';
import type { Team } from '@/lib/model/accounts/teams';
import type { Actor } from '@/lib/model/actor';
import { listTeamRows } from '@/lib/store/accounts/teams';
import { toTeam } from './to-team';

/**
 * Returns the teams by name. Administrators also get members and grants; others get only the names, and which teams are
 * theirs.
 */
export const listTeams = verb({ needs: 'account.use', on: scopeToOwn }, async (actor: Actor): Promise<Team[]> => {
  const rows = await listTeamRows();
  const teams = await Promise.all(rows.map((row) => toTeam(row, actor)));
  if (allows(actor.role, 'user.manage') && actor.tokenId === undefined) return teams;
  return teams.map((team) => ({ ...team, members: null, grants: null }));
});
