import { beginnerOf } from '@/lib/auth/still-may';
import { noteValueRead } from '@/lib/auth/value-reads';
import { verb } from '@/lib/auth/verb';
import { ofInstance } from '@/lib/auth/verb-scopes';
import { queueJob } from '@/lib/jobs/create-job';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Job } from '@/lib/model/job';
import type { ScanOptions } from '@/lib/model/snapshots/scan';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { transaction } from '@/lib/store/open-store';
import type { ScanParams } from './scan-kind';

/**
 * Queues a scan of a registered instance. Scanning only reads, so a read-only instance may be scanned. One that looks
 * into values needs the permission for that too, and on production a reason.
 * Errors: `not_found`, `forbidden`, `values_forbidden`, `reason_needed`, `job_running` (names the scan under way).
 */
export const startScan = verb(
  { needs: 'scan.run', on: ofInstance, action: 'job.create' },
  async (actor: Actor, instanceId: string, options: ScanOptions): Promise<Job> => {
    const instance = await getProtectedInstance(instanceId);
    if (instance === null) throw new AppError('not_found', 'There is no such instance.', { id: instanceId });
    const { values, valuesReason: reason } = options;
    const job = await transaction(async (tx) => {
      if (values > 0) {
        // Who let values be read can be asked for years.
        const read = { instanceId, subject: instance.settings.name, reason, details: { values } };
        const refused = await noteValueRead(tx, actor, { action: 'value.sample', ...read });
        if (refused) return refused;
      }
      const scan = { kind: 'scan', instanceId, instanceName: instance.settings.name, speed: options.speed };
      // Asked once more before the first value is read, hours later it may be.
      const params: ScanParams = values > 0 ? { ...options, begunBy: beginnerOf(actor) } : options;
      return queueJob(actor, { ...scan, params, ...(values > 0 && { reported: { values } }) }, tx);
    });
    if (job instanceof AppError) throw job;
    return job;
  },
);
