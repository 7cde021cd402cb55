import { toErrorBody } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { countUnwrittenAudit, readAuditOutputError } from './audit-output-mark';

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
  try {
    const error = await readAuditOutputError();
    return { ok: error === null, behind: await countUnwrittenAudit(), error };
  } catch (error) {
    return { ok: false, behind: null, error: toErrorBody(error).code };
  }
}
