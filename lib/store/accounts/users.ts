import type { Selectable } from 'kysely';
import type { Grant, Role } from '@/lib/model/access';
import { toNameKey } from '@/lib/model/accounts/name-key';
import { fromColumns, toColumns } from '@/lib/store/columns';
import { getDb, type Tx } from '@/lib/store/open-store';
import type { UsersTable } from '@/lib/store/tables/account-tables';

/** An account as stored, with the hash of its password. */
export interface UserRow {
  id: string;
  name: string;
  role: Role;
  password: string | null;
  disabled: boolean;
  createdAt: number;
  lastSignInAt: number | null;
  /** Identity provider that sets role and grants; absent or null = a local account. */
  provider?: string | null;
  /** Until when the rights from the provider are valid, epoch ms; null = without end. */
  rightsUntil?: number | null;
}

function fromRow(row: Selectable<UsersTable>): UserRow {
  const { nameKey: _, ...fields } = fromColumns(row);
  return { ...fields, disabled: row.disabled === 1 };
}

export async function insertUserRow(user: UserRow, tx: Tx): Promise<void> {
  await tx
    .insertInto('users')
    .values({ ...toColumns(user), name_key: toNameKey(user.name) })
    .execute();
}

export async function updateUserRow(
  id: string,
  patch: Partial<Omit<UserRow, 'id' | 'name' | 'createdAt' | 'provider'>>,
  tx: Tx,
): Promise<void> {
  const values = toColumns(patch);
  if (Object.keys(values).length > 0) await tx.updateTable('users').set(values).where('id', '=', id).execute();
}

export async function getUserRow(id: string, tx?: Tx): Promise<UserRow | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

export async function findUserRow(name: string, tx?: Tx): Promise<UserRow | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('users').selectAll().where('name_key', '=', toNameKey(name)).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** All accounts, sorted by name. */
export async function listUserRows(tx?: Tx): Promise<UserRow[]> {
  const db = await getDb(tx);
  return (await db.selectFrom('users').selectAll().orderBy('name_key').execute()).map(fromRow);
}

export async function listGrantRows(userId: string, tx?: Tx): Promise<Grant[]> {
  const db = await getDb(tx);
  const query = db.selectFrom('grants').select(['kind', 'value', 'role']).where('user_id', '=', userId);
  return query.orderBy('kind').orderBy('value').execute();
}

export async function putGrantRows(userId: string, grants: readonly Grant[], tx: Tx): Promise<void> {
  await tx.deleteFrom('grants').where('user_id', '=', userId).execute();
  const rows = grants.map((grant) => ({ ...grant, user_id: userId }));
  if (rows.length > 0) await tx.insertInto('grants').values(rows).execute();
}
