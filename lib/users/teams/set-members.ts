import { AppError } from '@/lib/model/errors';
import { deleteSessionRowsOf } from '@/lib/store/accounts/sessions';
import { deleteTeamMemberRow, insertTeamMemberRow, listTeamMemberRows } from '@/lib/store/accounts/teams';
import { getUserRow } from '@/lib/store/accounts/users';
import type { Tx } from '@/lib/store/open-store';

/**
 * Who is in a team from now on; whoever comes or goes signs in anew, for their rights are others. Whom a provider's
 * group has put in stays: it would put them in again. Errors: `bad_request` (no such user), `managed_by_provider`.
 */
export async function setMembers(teamId: string, wanted: readonly string[], tx: Tx): Promise<void> {
  const before = await listTeamMemberRows({ teamId }, tx);
  for (const { userId, byProvider } of before) {
    if (wanted.includes(userId)) continue;
    if (byProvider)
      throw new AppError('managed_by_provider', 'A group of the identity provider has put that person into the team.', {
        user: userId,
      });
    await deleteTeamMemberRow(teamId, userId, tx);
    await deleteSessionRowsOf(userId, tx);
  }
  for (const userId of new Set(wanted)) {
    if (before.some((row) => row.userId === userId)) continue;
    if ((await getUserRow(userId, tx)) === null)
      throw new AppError('bad_request', 'There is no such user.', { field: 'members' });
    await insertTeamMemberRow({ teamId, userId, byProvider: false }, tx);
    await deleteSessionRowsOf(userId, tx);
  }
}

/** What every member may do has changed. */
export async function endSessionsOfMembers(teamId: string, tx: Tx): Promise<void> {
  for (const { userId } of await listTeamMemberRows({ teamId }, tx)) await deleteSessionRowsOf(userId, tx);
}
