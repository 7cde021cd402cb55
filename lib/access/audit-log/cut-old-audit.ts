import { cutAudit } from '@/lib/access/audit/cut-audit';
import { ENGINE } from '@/lib/model/actor';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { readAuditMark } from './audit-output-mark';

const DAY_MS = 86_400_000;
const EVERY_MS = 3_600_000;

/**
 * Removes rows older than COLONNADE_AUDIT_KEEP_DAYS, except those that still have to be written to
 * COLONNADE_AUDIT_OUTPUT. Returns the number of removed rows.
 */
export async function cutOldAudit(now = Date.now()): Promise<number> {
  const days = config.auditKeepDays;
  if (days === 0) return 0;
  const upTo = config.auditOutput === null ? Number.MAX_SAFE_INTEGER : await readAuditMark();
  const rows = await cutAudit(ENGINE, { before: now - days * DAY_MS, upTo });
  if (rows > 0) log().info({ rows, days }, 'audit.cut');
  return rows;
}

/** Runs it now and every hour. Returns a function that stops it. */
export function keepCuttingAudit(): () => void {
  const act = () => void cutOldAudit().catch((error) => log().warn({ err: error }, 'audit.cut_failed'));
  act();
  const timer = setInterval(act, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
