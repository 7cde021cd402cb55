import type { Grant } from '@/lib/model/access';
import { toNameKey } from '@/lib/model/accounts/name-key';
import { getDb, type Tx } from '@/lib/store/open-store';

export interface TeamRow {
  id: string;
  name: string;
  createdAt: number;
}
interface TeamMemberRow {
  teamId: string;
  userId: string;
  byProvider: boolean;
}

/** All teams, sorted by name. */
export async function listTeamRows(tx?: Tx): Promise<TeamRow[]> {
  const db = await getDb(tx);
  const rows = await db.selectFrom('teams').selectAll().orderBy('name_key').execute();
  return rows.map(({ id, name, created_at }) => ({ id, name, createdAt: created_at }));
}

export async function findTeamRow(name: string, tx: Tx): Promise<TeamRow | null> {
  const row = await tx.selectFrom('teams').selectAll().where('name_key', '=', toNameKey(name)).executeTakeFirst();
  return row ? { id: row.id, name: row.name, createdAt: row.created_at } : null;
}

export async function insertTeamRow({ id, name, createdAt }: TeamRow, tx: Tx): Promise<void> {
  await tx
    .insertInto('teams')
    .values({ id, name, name_key: toNameKey(name), created_at: createdAt })
    .execute();
}

/** Deletes a team with its members and grants. */
export async function deleteTeamRow(id: string, tx: Tx): Promise<void> {
  await tx.deleteFrom('team_members').where('team_id', '=', id).execute();
  await tx.deleteFrom('team_grants').where('team_id', '=', id).execute();
  await tx.deleteFrom('teams').where('id', '=', id).execute();
}

/** Members of one team or memberships of one person; all of them if neither is given. */
export async function listTeamMemberRows(of: { teamId?: string; userId?: string }, tx?: Tx): Promise<TeamMemberRow[]> {
  const db = await getDb(tx);
  let query = db.selectFrom('team_members').selectAll().orderBy('team_id').orderBy('user_id');
  if (of.teamId !== undefined) query = query.where('team_id', '=', of.teamId);
  if (of.userId !== undefined) query = query.where('user_id', '=', of.userId);
  const rows = await query.execute();
  return rows.map((row) => ({ teamId: row.team_id, userId: row.user_id, byProvider: row.by_provider === 1 }));
}

export async function insertTeamMemberRow({ teamId, userId, byProvider }: TeamMemberRow, tx: Tx): Promise<void> {
  const row = { team_id: teamId, user_id: userId, by_provider: byProvider ? 1 : 0 };
  await tx
    .insertInto('team_members')
    .values(row)
    .onConflict((on) => on.columns(['team_id', 'user_id']).doNothing())
    .execute();
}

export async function deleteTeamMemberRow(teamId: string, userId: string, tx: Tx): Promise<void> {
  await tx.deleteFrom('team_members').where('team_id', '=', teamId).where('user_id', '=', userId).execute();
}

export async function listTeamGrantRows(teamId: string, tx?: Tx): Promise<Grant[]> {
  const db = await getDb(tx);
  const query = db.selectFrom('team_grants').select(['kind', 'value', 'role']).where('team_id', '=', teamId);
  return query.orderBy('kind').orderBy('value').execute();
}

export async function putTeamGrantRows(teamId: string, grants: readonly Grant[], tx: Tx): Promise<void> {
  await tx.deleteFrom('team_grants').where('team_id', '=', teamId).execute();
  const rows = grants.map((grant) => ({ ...grant, team_id: teamId }));
  if (rows.length > 0) await tx.insertInto('team_grants').values(rows).execute();
}

/** Grants that a person has as a member of teams. */
export async function listMemberGrantRows(userId: string, tx?: Tx): Promise<Grant[]> {
  const db = await getDb(tx);
  return db
    .selectFrom('team_grants')
    .innerJoin('team_members', 'team_members.team_id', 'team_grants.team_id')
    .select(['team_grants.kind', 'team_grants.value', 'team_grants.role'])
    .where('team_members.user_id', '=', userId)
    .orderBy('team_grants.team_id')
    .orderBy('team_grants.kind')
    .orderBy('team_grants.value')
    .execute();
}
