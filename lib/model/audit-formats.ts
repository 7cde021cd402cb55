/** As which files the audit log is handed out. */
export const AUDIT_FORMATS = ['csv', 'jsonl'] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];
