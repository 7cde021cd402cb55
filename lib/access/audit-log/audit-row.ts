import type { AuditFilter, AuditRow } from '@/lib/model/audit';
import { escapeOutput } from '@/lib/model/text/escape-foreign';
import type { AuditRowFilter, StoredAuditRow } from '@/lib/store/audit';

export const toAuditRow = (row: StoredAuditRow, intent: AuditRow['intent'] = null): AuditRow => ({
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

export const toRowFilter = ({ instance, ...filter }: AuditFilter): AuditRowFilter => ({
  ...filter,
  ...(instance !== undefined && { instanceId: instance }),
});

/**
 * A line of JSON whose text moves no cursor, turns no text around and is no command of a pipeline, wherever the line is
 * shown. JSON reads the escapes as the text that it was.
 */
export const toEscapedLine = (value: object): string => `${escapeOutput(JSON.stringify(value))}\n`;

/** A row for files and log lines: only the number of its intent, and with the hash that chains the rows. */
export const toAuditLine = (row: StoredAuditRow) => {
  const { intent: _, ...plain } = toAuditRow(row);
  return { ...plain, time: new Date(row.at).toISOString(), intent: row.intent, hash: row.hash };
};
