import type { Insertable, Selectable } from 'kysely';
import { getDb, type Tx } from './open-store';
import type { AuditRowsTable } from './tables';

export type StoredAuditRow = Selectable<AuditRowsTable>;

/** Appends a row. The caller computes its number and its link of the chain (`lib/access/audit`). */
export async function insertAudit(row: Insertable<AuditRowsTable>, tx: Tx): Promise<void> {
  await tx.insertInto('audit').values(row).execute();
}

export async function getLastAudit(tx?: Tx): Promise<StoredAuditRow | null> {
  const db = await getDb(tx);
  return (await db.selectFrom('audit').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirst()) ?? null;
}

/** Conditions for rows; times are epoch ms, `from` is included, `to` is not. */
export interface AuditRowFilter {
  person?: string;
  /** An action, or a noun and a dot for all actions of that noun: `deletion.`. */
  action?: string;
  instanceId?: string;
  from?: number;
  to?: number;
}

async function buildFilteredQuery({ person, action, instanceId, from, to }: AuditRowFilter) {
  let query = (await getDb(undefined)).selectFrom('audit');
  if (person !== undefined) query = query.where('actor_name', '=', person);
  // `deletion.` selects what is between `deletion.` and `deletion/`, because `/` follows `.` in ASCII.
  if (action?.endsWith('.')) query = query.where('action', '>', action).where('action', '<', `${action.slice(0, -1)}/`);
  else if (action !== undefined) query = query.where('action', '=', action);
  if (instanceId !== undefined) query = query.where('instance_id', '=', instanceId);
  if (from !== undefined) query = query.where('at', '>=', from);
  if (to !== undefined) query = query.where('at', '<', to);
  return query;
}

/** Rows before `beforeSeq`, newest first. An intent whose outcome is known is not listed separately. */
export async function listAuditRows(
  filter: AuditRowFilter,
  beforeSeq: number | null,
  limit: number,
): Promise<StoredAuditRow[]> {
  let query = (await buildFilteredQuery(filter)).selectAll().orderBy('seq', 'desc').limit(limit);
  if (beforeSeq !== null) query = query.where('seq', '<', beforeSeq);
  return query
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('audit as outcome').select('outcome.seq').whereRef('outcome.intent', '=', 'audit.seq'))),
    )
    .execute();
}

/** Rows by number. Used to read the intents of outcomes. */
export async function listAuditRowsBySeq(seqs: number[]): Promise<StoredAuditRow[]> {
  if (seqs.length === 0) return [];
  return (await getDb(undefined)).selectFrom('audit').selectAll().where('seq', 'in', seqs).execute();
}

/** All rows of one action, oldest first. Only for rare actions, because there is no limit. */
export async function listAuditRowsByAction(action: string, tx?: Tx): Promise<StoredAuditRow[]> {
  return (await getDb(tx)).selectFrom('audit').selectAll().where('action', '=', action).orderBy('seq').execute();
}

/** Rows after `afterSeq` under a filter, oldest first. For exports. */
export async function exportAuditRows(
  filter: AuditRowFilter,
  afterSeq: number,
  limit: number,
): Promise<StoredAuditRow[]> {
  return (await buildFilteredQuery(filter))
    .selectAll()
    .where('seq', '>', afterSeq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** Distinct values of a column, sorted, at most `limit`. Each takes one index lookup. */
export async function listDistinctInAudit(column: 'actor_name' | 'action', limit: number): Promise<string[]> {
  const db = await getDb(undefined);
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

/** Rows after `afterSeq`, oldest first. For checking the chain in pages. */
export async function listAuditRowsAfter(afterSeq: number, limit: number, tx?: Tx): Promise<StoredAuditRow[]> {
  const db = await getDb(tx);
  return db.selectFrom('audit').selectAll().where('seq', '>', afterSeq).orderBy('seq').limit(limit).execute();
}

/** The database refuses to delete rows that no checkpoint replaces. */
export async function deleteAuditRowsUpTo(seq: number, tx: Tx): Promise<void> {
  await tx.deleteFrom('audit').where('seq', '<=', seq).execute();
}
