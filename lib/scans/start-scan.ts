import { toInitiator } from '@/lib/access/auth/is-still-permitted';
import { noteValueRead } from '@/lib/access/auth/value-reads';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import { queueJob } from '@/lib/jobs/create-job';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Job } from '@/lib/model/job';
import type { ScanOptions } from '@/lib/model/snapshots/scan';
import type { InstanceRow } from '@/lib/store/instances';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import type { ScanParams } from './scan-kind';

/**
 * Queues a scan of a registered instance. Scanning only reads, so a read-only instance may be scanned. A scan that
 * samples values also needs the permission to read values, and on production a reason. Errors: `not_found`,
 * `forbidden`, `values_forbidden`, `reason_needed`, `job_running` (names the running scan).
 */
export const startScan = verb(
  { needs: 'scan.run', on: scopeToInstance, action: 'job.create' },
  async (actor: Actor, instanceId: string, options: ScanOptions): Promise<Job> => {
    const instance = await getProtectedInstance(instanceId);
    if (instance === null) throw new AppError('not_found', 'There is no such instance.', { id: instanceId });
    const job = await runTransaction((tx) => queueScan(actor, instance, options, {}, tx));
    // It is thrown outside, because otherwise the audit row of the refusal would be rolled back with the transaction.
    if (job instanceof AppError) throw job;
    return job;
  },
);

/**
 * Like `startScan`, as part of another action that has checked the permission to scan. Returns the error if values may
 * not be sampled: its audit row is to be kept. `auditDetails`: fields of the audit row of the job. Errors:
 * `job_running`.
 */
export async function queueScan(
  actor: Actor,
  { id: instanceId, settings }: InstanceRow,
  options: ScanOptions,
  auditDetails: Record<string, unknown>,
  tx: Tx,
): Promise<Job | AppError> {
  const { values, valuesReason: reason } = options;
  if (values > 0) {
    // The audit row records for years who had values read.
    const read = { action: 'value.sample' as const, instanceId, subject: settings.name, reason, details: { values } };
    const refusal = await noteValueRead(tx, actor, read);
    if (refusal) return refusal;
  }
  const newJob = { kind: 'scan', instanceId, instanceName: settings.name, speed: options.speed };
  // The permission is checked again before the first value is read, which may be hours later.
  const params: ScanParams = values > 0 ? { ...options, begunBy: toInitiator(actor) } : options;
  return queueJob(actor, { ...newJob, params, auditDetails: { ...auditDetails, ...(values > 0 && { values }) } }, tx);
}
