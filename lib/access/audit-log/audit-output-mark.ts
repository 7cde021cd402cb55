import { toErrorBody } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { getLastAudit } from '@/lib/store/audit';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';

/** Setting: the number of the last row that was written to the output. */
const MARK = 'audit_output';
/** Setting: the error that prevents writing; empty = none. */
const FAILURE = 'audit_output_error';
/** Setting: the process that writes (turns.ts). */
export const AUDIT_WRITER = 'audit_output_writer';

export const readAuditMark = async (tx?: Tx): Promise<number> => Number((await getSetting(MARK, tx)) ?? 0);

export const markAuditWritten = (seq: number): Promise<void> =>
  runTransaction(async (tx) => {
    // A process that was suspended must not set it to an older row.
    if (seq > (await readAuditMark(tx))) await setSetting(MARK, String(seq), tx);
  });

/** Error code of the last attempt of the process that writes; null = it succeeded. */
const readAuditOutputError = async (): Promise<string | null> => (await getSetting(FAILURE)) || null;

export async function noteAuditOutputError(code: string | null): Promise<void> {
  if (code !== (await readAuditOutputError())) await setSetting(FAILURE, code ?? '');
}

/** Number of rows that are still to be written. */
export async function countUnwrittenAudit(): Promise<number> {
  return Math.max(0, ((await getLastAudit())?.seq ?? 0) - (await readAuditMark()));
}

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
