import type { AuditFilter, AuditRow } from '@/lib/model/audit';
import type { AuditRowFilter, StoredAuditRow } from '@/lib/store/audit';

export const auditRow = (row: StoredAuditRow, intent: AuditRow['intent'] = null): AuditRow => ({
  seq: row.seq,
  at: row.at,
  actor: row.actor_name,
  actorId: row.actor_id,
  via: row.via,
  role: row.role,
  address: row.address,
  session: row.session,
  action: row.action,
  subject: row.subject,
  instanceId: row.instance_id,
  outcome: row.outcome,
  details: JSON.parse(row.details),
  intent,
});

export const rowFilter = ({ instance, ...filter }: AuditFilter): AuditRowFilter => ({
  ...filter,
  ...(instance !== undefined && { instanceId: instance }),
});

/** As files and lines for other programs have it: the number of the intent alone, and the hash that holds the chain. */
export const auditLine = (row: StoredAuditRow) => {
  const { intent: _, ...plain } = auditRow(row);
  return { ...plain, time: new Date(row.at).toISOString(), intent: row.intent, hash: row.hash };
};
