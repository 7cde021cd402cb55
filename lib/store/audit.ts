import type { Insertable, Selectable } from 'kysely';
import { dbOf, type Tx } from './open-store';
import type { AuditRowsTable } from './tables';

export type StoredAuditRow = Selectable<AuditRowsTable>;

/** Appends; the chain is the caller's (`lib/audit`). Returns the number of the row. */
export async function insertAudit(row: Insertable<AuditRowsTable>, tx: Tx): Promise<number> {
  const done = await tx.insertInto('audit').values(row).returning('seq').executeTakeFirstOrThrow();
  return done.seq;
}

export async function lastAudit(tx?: Tx): Promise<StoredAuditRow | null> {
  const db = await dbOf(tx);
  return (await db.selectFrom('audit').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirst()) ?? null;
}

/** Newest first, rows before `beforeSeq`. */
export async function listAuditRows(beforeSeq: number | null, limit: number, tx?: Tx): Promise<StoredAuditRow[]> {
  const db = await dbOf(tx);
  let query = db.selectFrom('audit').selectAll().orderBy('seq', 'desc').limit(limit);
  if (beforeSeq !== null) query = query.where('seq', '<', beforeSeq);
  return query.execute();
}

/** Oldest first, rows after `afterSeq`: for checking the chain in pages. */
export async function auditRowsAfter(afterSeq: number, limit: number, tx?: Tx): Promise<StoredAuditRow[]> {
  const db = await dbOf(tx);
  return db.selectFrom('audit').selectAll().where('seq', '>', afterSeq).orderBy('seq').limit(limit).execute();
}
