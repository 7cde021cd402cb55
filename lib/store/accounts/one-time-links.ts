import { getDb, type Tx } from '@/lib/store/open-store';

interface OneTimeLinkRow {
  tokenHash: string;
  /** null = the link creates the first administrator. */
  userId: string | null;
  expiresAt: number;
}

/** Stores a link and deletes an earlier one for the same person: only the latest link works. */
export async function putOneTimeLinkRow({ tokenHash, userId, expiresAt }: OneTimeLinkRow, tx: Tx): Promise<void> {
  await deleteOneTimeLinkRows(userId, tx);
  await tx
    .insertInto('one_time_links')
    .values({ token_hash: tokenHash, user_id: userId, expires_at: expiresAt })
    .execute();
}

export async function findOneTimeLinkRow(tokenHash: string, tx?: Tx): Promise<OneTimeLinkRow | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('one_time_links').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst();
  return row ? { tokenHash: row.token_hash, userId: row.user_id, expiresAt: row.expires_at } : null;
}

export async function deleteOneTimeLinkRows(userId: string | null, tx: Tx): Promise<void> {
  const all = tx.deleteFrom('one_time_links');
  await (userId === null ? all.where('user_id', 'is', null) : all.where('user_id', '=', userId)).execute();
}
