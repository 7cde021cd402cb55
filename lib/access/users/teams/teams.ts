import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToAll, scopeToOwn } from '@/lib/access/auth/verb-scopes';
import { roleAllows } from '@/lib/model/access';
import type { Team, TeamInput, TeamMember, TeamUpdate } from '@/lib/model/accounts/teams';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteSessionRows } from '@/lib/store/accounts/sessions';
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
  type TeamRow,
} from '@/lib/store/accounts/teams';
import { getUserRow } from '@/lib/store/accounts/users';
import { generateId } from '@/lib/store/generate-id';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { assertGrants } from '../assert-grants';

/**
 * Returns the teams by name. Administrators also get members and grants; others get only the names, and which teams are
 * theirs.
 */
export const listTeams = verb({ needs: 'account.use', on: scopeToOwn }, async (actor: Actor): Promise<Team[]> => {
  const rows = await listTeamRows();
  const teams = await Promise.all(rows.map((row) => toTeam(row, actor)));
  if (roleAllows(actor.role, 'user.manage') && actor.tokenId === undefined) return teams;
  return teams.map((team) => ({ ...team, members: null, grants: null }));
});

const MAX_TEAMS = 500;
const toAuditDetails = ({ name, members, grants }: Team) => ({
  name,
  members: members?.map((one) => one.name),
  grants,
});

/**
 * Adds a team. Prefixes whose owner has the same name belong to it from now on. Errors: `conflict` (name), `too_large`.
 */
export const addTeam = verb(
  { needs: 'user.manage', on: scopeToAll, action: 'team.add', fresh: 'always', subject: ({ name }: TeamInput) => name },
  async (actor: Actor, { name, members, grants }: TeamInput): Promise<Team> => {
    assertGrants(grants);
    return runTransaction(async (tx) => {
      if ((await findTeamRow(name, tx)) !== null)
        throw new AppError('conflict', `There is a team named ${name} already.`, { field: 'name' });
      if ((await listTeamRows(tx)).length >= MAX_TEAMS)
        throw new AppError('too_large', `There are ${MAX_TEAMS} teams already.`);
      const row = { id: generateId(), name, createdAt: Date.now() };
      await insertTeamRow(row, tx);
      await setMembers(row.id, members, tx);
      await putTeamGrantRows(row.id, grants, tx);
      const team = await toTeam(row, actor, tx);
      await recordAudit(tx, { actor, action: 'team.add', subject: row.id, details: toAuditDetails(team) });
      return team;
    });
  },
);

/**
 * Changes members or grants. Errors: `not_found`, `bad_request`, `managed_by_provider` (a member comes from a group of
 * the provider).
 */
export const updateTeam = verb(
  { needs: 'user.manage', on: scopeToAll, action: 'team.update', fresh: 'always' },
  async (actor: Actor, id: string, { members, grants }: TeamUpdate): Promise<Team> => {
    if (grants) assertGrants(grants);
    return runTransaction(async (tx) => {
      const row = await getTeamRowOrThrow(id, tx);
      if (members) await setMembers(id, members, tx);
      if (grants) {
        const before = JSON.stringify(await listTeamGrantRows(id, tx));
        await putTeamGrantRows(id, grants, tx);
        if (JSON.stringify(await listTeamGrantRows(id, tx)) !== before) await endSessionsOfMembers(id, tx);
      }
      const team = await toTeam(row, actor, tx);
      await recordAudit(tx, { actor, action: 'team.update', subject: id, details: toAuditDetails(team) });
      return team;
    });
  },
);

/** Removes a team. Its prefixes keep its name as their owner. Errors: `not_found`. */
export const removeTeam = verb(
  { needs: 'user.manage', on: scopeToAll, action: 'team.remove' },
  async (actor: Actor, id: string): Promise<{ id: string }> =>
    runTransaction(async (tx) => {
      const team = await toTeam(await getTeamRowOrThrow(id, tx), actor, tx);
      await recordAudit(tx, { actor, action: 'team.remove', subject: id, details: toAuditDetails(team) });
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
    await deleteSessionRows(userId, tx);
  }
  for (const userId of new Set(wanted)) {
    if (before.some((row) => row.userId === userId)) continue;
    if ((await getUserRow(userId, tx)) === null)
      throw new AppError('bad_request', 'There is no such user.', { field: 'members' });
    await insertTeamMemberRow({ teamId, userId, byProvider: false }, tx);
    await deleteSessionRows(userId, tx);
  }
}

/** Ends the sessions of all members, because their rights have changed. */
async function endSessionsOfMembers(teamId: string, tx: Tx): Promise<void> {
  for (const { userId } of await listTeamMemberRows({ teamId }, tx)) await deleteSessionRows(userId, tx);
}

/** Returns a team with its members, sorted by name, and its grants. */
async function toTeam({ id, name }: TeamRow, actor: Actor, tx?: Tx): Promise<Team> {
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

async function getTeamRowOrThrow(id: string, tx: Tx): Promise<TeamRow> {
  const row = (await listTeamRows(tx)).find((one) => one.id === id);
  if (row === undefined) throw new AppError('not_found', 'There is no such team. It may have been removed.', { id });
  return row;
}
