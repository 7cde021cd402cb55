import { config } from '@/lib/runtime/config';
import { countUnwrittenAudit } from './audit-output-mark';
import { getAuditOutputError } from './write-audit-output';

/**
 * null = the audit log is not written anywhere else. `behind` = number of rows still to be written, null = the database
 * does not answer.
 */
export async function checkAuditOutput(): Promise<{
  ok: boolean;
  behind: number | null;
  error: string | null;
} | null> {
  if (config.auditOutput === null) return null;
  const error = getAuditOutputError();
  return { ok: error === null, behind: await countUnwrittenAudit().catch(() => null), error };
}
