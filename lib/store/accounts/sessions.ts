import { fromColumns, toColumns } from '@/lib/store/columns';
import { getDb, type Tx } from '@/lib/store/open-store';

export interface SessionRow {
  id: string;
  tokenHash: string;
  userId: string;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  /** When the person last proved their identity, by password or at the provider, epoch ms; 0 = unknown. */
  confirmedAt: number;
  address: string;
  agent: string;
  /** Identity provider that the session began with; null = it began with a password or a link. */
  provider: string | null;
}

export async function insertSessionRow(session: SessionRow, tx: Tx): Promise<void> {
  await tx.insertInto('sessions').values(toColumns(session)).execute();
}

export async function findSessionRow(tokenHash: string): Promise<SessionRow | null> {
  const db = await getDb(undefined);
  const row = await db.selectFrom('sessions').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst();
  return row ? fromColumns(row) : null;
}

export async function getSessionRow(id: string): Promise<SessionRow | null> {
  const db = await getDb(undefined);
  const row = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromColumns(row) : null;
}

/** Returns false if the session has ended in the meantime. */
export async function confirmSessionRow(id: string, confirmedAt: number, tx: Tx): Promise<boolean> {
  const set = { confirmed_at: confirmedAt, last_seen_at: confirmedAt };
  const done = await tx.updateTable('sessions').set(set).where('id', '=', id).executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

/** Sessions of one person, last used first. */
export async function listSessionRows(userId: string): Promise<SessionRow[]> {
  const db = await getDb(undefined);
  const query = db.selectFrom('sessions').selectAll().where('user_id', '=', userId);
  return (await query.orderBy('last_seen_at', 'desc').execute()).map(fromColumns);
}

export async function touchSessionRow(id: string, lastSeenAt: number): Promise<void> {
  const db = await getDb(undefined);
  await db.updateTable('sessions').set({ last_seen_at: lastSeenAt }).where('id', '=', id).execute();
}

export async function deleteSessionRow(id: string, userId: string, tx: Tx): Promise<boolean> {
  const done = await tx.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
  return done.numDeletedRows > 0n;
}

export async function deleteSessionRows(userId: string, tx: Tx): Promise<number> {
  const done = await tx.deleteFrom('sessions').where('user_id', '=', userId).executeTakeFirst();
  return Number(done.numDeletedRows);
}

/** Deletes sessions that expired or were unused since `unusedSince` (both epoch ms). */
export async function deleteEndedSessionRows(now: number, unusedSince: number, tx: Tx): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where((on) => on.or([on('expires_at', '<=', now), on('last_seen_at', '<=', unusedSince)]))
    .execute();
}
