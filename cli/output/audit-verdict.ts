import type { AuditVerdict } from '@/lib/access/audit/verify-audit';

/** Describes an intact log: its number of rows, and the rows that cannot be checked. One line without a line break. */
export function formatAuditVerdict({ rows, cutUpTo, unchecked = [] }: AuditVerdict): string {
  const cut = cutUpTo > 0 ? [`Rows up to ${cutUpTo} were removed by retention.`] : [];
  const lost = unchecked.map(
    ({ from, upTo, key }) =>
      `Rows ${from} to ${upTo} cannot be checked: the key ${key}, which signed them, was given up as lost (keys.lost).`,
  );
  return [`The audit log is intact: ${rows} rows.`, ...cut, ...lost].join(' ');
}
