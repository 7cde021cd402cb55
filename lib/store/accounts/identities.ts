import { getDb, type Tx } from '@/lib/store/open-store';

/** Id of the account that belongs to an identity at a provider; null = none. Only issuer and subject decide. */
export async function findIdentityUserId(issuer: string, subject: string, tx?: Tx): Promise<string | null> {
  const db = await getDb(tx);
  const query = db.selectFrom('identities').select('user_id').where('issuer', '=', issuer);
  return (await query.where('subject', '=', subject).executeTakeFirst())?.user_id ?? null;
}

export async function insertIdentityRow(
  row: { issuer: string; subject: string; userId: string; createdAt: number },
  tx: Tx,
): Promise<void> {
  const { issuer, subject, userId, createdAt } = row;
  await tx.insertInto('identities').values({ issuer, subject, user_id: userId, created_at: createdAt }).execute();
}
