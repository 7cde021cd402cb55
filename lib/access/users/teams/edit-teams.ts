import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { everywhere } from '@/lib/access/auth/verb-scopes';
import type { Team, TeamInput, TeamUpdate } from '@/lib/model/accounts/teams';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteSessionRowsOf } from '@/lib/store/accounts/sessions';
import {
  deleteTeamMemberRow,
  deleteTeamRow,
  findTeamRow,
  insertTeamMemberRow,
  insertTeamRow,
  listTeamGrantRows,
  listTeamMemberRows,
  listTeamRows,
  putTeamGrantRows,
} from '@/lib/store/accounts/teams';
import { getUserRow } from '@/lib/store/accounts/users';
import { newId } from '@/lib/store/new-id';
import { type Tx, transaction } from '@/lib/store/open-store';
import { assertGrants } from '../assert-grants';
import { teamOfRow, teamRowOrThrow } from './team-of-row';

const MAX_TEAMS = 500;
const shown = ({ name, members, grants }: Team) => ({ name, members: members?.map((one) => one.name), grants });

/**
 * Adds a team. Prefixes whose owner has the same name belong to it from now on. Errors: `conflict` (name), `too_large`.
 */
export const addTeam = verb(
  { needs: 'user.manage', on: everywhere, action: 'team.add', fresh: 'always', subject: ({ name }: TeamInput) => name },
  async (actor: Actor, { name, members, grants }: TeamInput): Promise<Team> => {
    assertGrants(grants);
    return transaction(async (tx) => {
      if ((await findTeamRow(name, tx)) !== null)
        throw new AppError('conflict', `There is a team named ${name} already.`, { field: 'name' });
      if ((await listTeamRows(tx)).length >= MAX_TEAMS)
        throw new AppError('too_large', `There are ${MAX_TEAMS} teams already.`);
      const row = { id: newId(), name, createdAt: Date.now() };
      await insertTeamRow(row, tx);
      await setMembers(row.id, members, tx);
      await putTeamGrantRows(row.id, grants, tx);
      const team = await teamOfRow(row, actor, tx);
      await recordAudit(tx, { actor, action: 'team.add', subject: row.id, details: shown(team) });
      return team;
    });
  },
);

/**
 * Changes members or grants. Errors: `not_found`, `bad_request`, `managed_by_provider` (a member comes from a group of
 * the provider).
 */
export const updateTeam = verb(
  { needs: 'user.manage', on: everywhere, action: 'team.update', fresh: 'always' },
  async (actor: Actor, id: string, { members, grants }: TeamUpdate): Promise<Team> => {
    if (grants) assertGrants(grants);
    return transaction(async (tx) => {
      const row = await teamRowOrThrow(id, tx);
      if (members) await setMembers(id, members, tx);
      if (grants) {
        const others = JSON.stringify(await listTeamGrantRows(id, tx));
        await putTeamGrantRows(id, grants, tx);
        if (JSON.stringify(await listTeamGrantRows(id, tx)) !== others) await endSessionsOfMembers(id, tx);
      }
      const team = await teamOfRow(row, actor, tx);
      await recordAudit(tx, { actor, action: 'team.update', subject: id, details: shown(team) });
      return team;
    });
  },
);

/** Removes a team. Its prefixes keep its name as their owner. Errors: `not_found`. */
export const removeTeam = verb(
  { needs: 'user.manage', on: everywhere, action: 'team.remove' },
  async (actor: Actor, id: string): Promise<{ id: string }> =>
    transaction(async (tx) => {
      const team = await teamOfRow(await teamRowOrThrow(id, tx), actor, tx);
      await recordAudit(tx, { actor, action: 'team.remove', subject: id, details: shown(team) });
      await endSessionsOfMembers(id, tx);
      await deleteTeamRow(id, tx);
      return { id };
    }),
);

/**
 * Sets the members of a team. People who are added or removed have to sign in again, because their rights change. A
 * member from a group of the provider cannot be removed: the next sign-in would add them again. Errors: `bad_request`
 * (no such user), `managed_by_provider`.
 */
async function setMembers(teamId: string, wanted: readonly string[], tx: Tx): Promise<void> {
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

/** Ends the sessions of all members, because their rights have changed. */
async function endSessionsOfMembers(teamId: string, tx: Tx): Promise<void> {
  for (const { userId } of await listTeamMemberRows({ teamId }, tx)) await deleteSessionRowsOf(userId, tx);
}
