import type { AuditVerdict } from '@/lib/audit/verify-audit';

/** Of a log that holds: how much of it there is, and what of it nobody can check. One line without its end. */
export function auditText({ rows, cutUpTo, unchecked = [] }: AuditVerdict): string {
  const cut = cutUpTo > 0 ? [`Rows up to ${cutUpTo} were removed by retention.`] : [];
  const lost = unchecked.map(
    ({ from, upTo, key }) =>
      `Rows ${from} to ${upTo} cannot be checked: the key ${key}, which signed them, was given up as lost (keys.lost).`,
  );
  return [`The audit log is intact: ${rows} rows.`, ...cut, ...lost].join(' ');
}
