import { verb } from '@/lib/auth/verb';
import { ofInstance } from '@/lib/auth/verb-scopes';
import { createJob } from '@/lib/jobs/create-job';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Job } from '@/lib/model/job';
import type { ScanOptions } from '@/lib/model/snapshots/scan';
import { getInstanceRow } from '@/lib/store/instances';

/**
 * Queues a scan of a registered instance. Scanning only reads, so a read-only instance may be scanned.
 * Errors: `not_found`, `forbidden` (viewer), `job_running` (names the scan that is under way).
 */
export const startScan = verb(
  { needs: 'scan.run', on: ofInstance, action: 'job.create' },
  async (actor: Actor, instanceId: string, options: ScanOptions): Promise<Job> => {
    const instance = await getInstanceRow(instanceId);
    if (instance === null) throw new AppError('not_found', 'There is no such instance.', { id: instanceId });
    return createJob(actor, {
      kind: 'scan',
      instanceId,
      instanceName: instance.settings.name,
      speed: options.speed,
      params: options,
      // Who let values be read can be asked for years.
      ...(options.values > 0 && { reported: { values: options.values } }),
    });
  },
);
