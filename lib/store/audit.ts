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

/** What is asked for; times are epoch ms, `from` included, `to` not. */
export interface AuditRowFilter {
  person?: string;
  /** A name, or a noun and a dot for all its verbs: `deletion.`. */
  action?: string;
  instanceId?: string;
  from?: number;
  to?: number;
}

async function filtered(filter: AuditRowFilter, tx?: Tx) {
  const { person, action, instanceId, from, to } = filter;
  let query = (await dbOf(tx)).selectFrom('audit');
  if (person !== undefined) query = query.where('actor_name', '=', person);
  if (action?.endsWith('.')) query = query.where('action', '>', action).where('action', '<', `${action.slice(0, -1)}/`);
  else if (action !== undefined) query = query.where('action', '=', action);
  if (instanceId !== undefined) query = query.where('instance_id', '=', instanceId);
  if (from !== undefined) query = query.where('at', '>=', from);
  if (to !== undefined) query = query.where('at', '<', to);
  return query;
}

/** Newest first, rows before `beforeSeq`; an intent whose outcome is known is not listed by itself. */
export async function listAuditRows(
  filter: AuditRowFilter,
  beforeSeq: number | null,
  limit: number,
  tx?: Tx,
): Promise<StoredAuditRow[]> {
  let query = (await filtered(filter, tx)).selectAll().orderBy('seq', 'desc').limit(limit);
  if (beforeSeq !== null) query = query.where('seq', '<', beforeSeq);
  return query
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('audit as outcome').select('outcome.seq').whereRef('outcome.intent', '=', 'audit.seq'))),
    )
    .execute();
}

/** Rows by number: the intents of outcomes. */
export async function auditRowsOf(seqs: number[], tx?: Tx): Promise<StoredAuditRow[]> {
  if (seqs.length === 0) return [];
  return (await dbOf(tx)).selectFrom('audit').selectAll().where('seq', 'in', seqs).execute();
}

/** Oldest first; of actions that are rare. */
export async function auditRowsOfAction(action: string, tx?: Tx): Promise<StoredAuditRow[]> {
  return (await dbOf(tx)).selectFrom('audit').selectAll().where('action', '=', action).orderBy('seq').execute();
}

/** Oldest first, rows after `afterSeq` under a filter: for exports. */
export async function exportAuditRows(
  filter: AuditRowFilter,
  afterSeq: number,
  limit: number,
): Promise<StoredAuditRow[]> {
  return (await filtered(filter)).selectAll().where('seq', '>', afterSeq).orderBy('seq').limit(limit).execute();
}

/** Everything that stands in a column, one index lookup each; at most `limit`. */
export async function distinctInAudit(column: 'actor_name' | 'action', limit: number): Promise<string[]> {
  const db = await dbOf(undefined);
  const found: string[] = [];
  for (let after = ''; found.length < limit; ) {
    const row = await db
      .selectFrom('audit')
      .select(column)
      .where(column, '>', after)
      .orderBy(column)
      .limit(1)
      .executeTakeFirst();
    if (!row) break;
    after = row[column];
    found.push(after);
  }
  return found;
}

/** Oldest first, rows after `afterSeq`: for checking the chain in pages. */
export async function auditRowsAfter(afterSeq: number, limit: number, tx?: Tx): Promise<StoredAuditRow[]> {
  const db = await dbOf(tx);
  return db.selectFrom('audit').selectAll().where('seq', '>', afterSeq).orderBy('seq').limit(limit).execute();
}

/** Refused by the database for rows that no checkpoint stands for. */
export async function deleteAuditRowsUpTo(seq: number, tx: Tx): Promise<void> {
  await tx.deleteFrom('audit').where('seq', '<=', seq).execute();
}
