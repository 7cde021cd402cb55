import { config } from '@/lib/runtime/config';
import { auditBehind } from './audit-output-mark';
import { auditOutputError } from './write-audit-output';

/**
 * null = the audit log is not written anywhere else. `behind` = number of rows still to be written, null = the database
 * does not answer.
 */
export async function auditOutputHealth(): Promise<{
  ok: boolean;
  behind: number | null;
  error: string | null;
} | null> {
  if (config.auditOutput === null) return null;
  const error = auditOutputError();
  return { ok: error === null, behind: await auditBehind().catch(() => null), error };
}
