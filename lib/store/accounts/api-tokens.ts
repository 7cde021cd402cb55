import type { Selectable } from 'kysely';
import type { Grant, Role } from '@/lib/model/access';
import { toNameKey } from '@/lib/model/accounts/name-key';
import { fromColumns, toColumns } from '@/lib/store/columns';
import { getDb, type Tx } from '@/lib/store/open-store';
import type { ApiTokensTable } from '@/lib/store/tables/account-tables';

export interface ApiTokenRow {
  id: string;
  tokenHash: string;
  userId: string;
  name: string;
  role: Role;
  grants: Grant[];
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
  lastAddress: string | null;
}

function fromRow(row: Selectable<ApiTokensTable>): ApiTokenRow {
  const { nameKey: _, ...fields } = fromColumns(row);
  return { ...fields, grants: JSON.parse(row.grants) };
}

export async function insertApiTokenRow(token: ApiTokenRow, tx: Tx): Promise<void> {
  const row = { ...toColumns(token), name_key: toNameKey(token.name), grants: JSON.stringify(token.grants) };
  await tx.insertInto('api_tokens').values(row).execute();
}

export async function findApiTokenRow(tokenHash: string): Promise<ApiTokenRow | null> {
  const db = await getDb(undefined);
  const row = await db.selectFrom('api_tokens').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst();
  return row ? fromRow(row) : null;
}

export async function getApiTokenRow(id: string, tx?: Tx): Promise<ApiTokenRow | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('api_tokens').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Tokens of one person, sorted by name; null = tokens of everybody. */
export async function listApiTokenRows(userId: string | null, tx?: Tx): Promise<ApiTokenRow[]> {
  const db = await getDb(tx);
  const all = db.selectFrom('api_tokens').selectAll().orderBy('name_key').orderBy('id');
  const rows = await (userId === null ? all : all.where('user_id', '=', userId)).execute();
  return rows.map(fromRow);
}

export async function hasApiTokenNamed(userId: string, name: string, tx: Tx): Promise<boolean> {
  const query = tx.selectFrom('api_tokens').select('id').where('user_id', '=', userId);
  return (await query.where('name_key', '=', toNameKey(name)).executeTakeFirst()) !== undefined;
}

/**
 * Writes the last use only if none was written after `notSince` (epoch ms), or if the written one is in the future: many
 * requests come at once, and one sync to disk is enough for all of them.
 */
export async function touchApiTokenRow(id: string, at: number, address: string, notSince: number): Promise<void> {
  const db = await getDb(undefined);
  await db
    .updateTable('api_tokens')
    .set({ last_used_at: at, last_address: address })
    .where('id', '=', id)
    .where((on) =>
      on.or([on('last_used_at', 'is', null), on('last_used_at', '<=', notSince), on('last_used_at', '>', at)]),
    )
    .execute();
}

export async function deleteApiTokenRow(id: string, tx: Tx): Promise<void> {
  await tx.deleteFrom('api_tokens').where('id', '=', id).execute();
}

/**
 * Deletes tokens of one person that expired before `before` (epoch ms). The caller keeps them for a while, so that the
 * person sees why a program is refused.
 */
export async function deleteExpiredApiTokenRows(userId: string, before: number, tx: Tx): Promise<void> {
  await tx.deleteFrom('api_tokens').where('user_id', '=', userId).where('expires_at', '<', before).execute();
}
