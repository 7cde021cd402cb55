import { listAuditRows } from '@/lib/store/audit';
import { findJobs } from '@/lib/store/jobs';
import { findInstancesAt, listInstanceNodes } from '@/lib/store/nodes/instance-nodes';

/** A key that was accessed within this time is in use, in seconds. */
export const IN_USE_SECONDS = 60;
/** Idle times have a resolution of ten seconds. */
const RESOLUTION_MS = 10_000;

/**
 * Whether Colonnade may have accessed keys of these servers within the last minute, through any instance that shares a
 * node: a scan or a deletion worked on them, or somebody had a value shown. Scans of the command line are not known.
 */
export async function hasAccessedRecently(instanceId: string): Promise<boolean> {
  const since = Date.now() - IN_USE_SECONDS * 1000 - RESOLUTION_MS;
  const sameServerInstances = await findInstancesAt(await listInstanceNodes(instanceId), instanceId);
  const instanceIds = [instanceId, ...sameServerInstances.map(({ id }) => id)];
  const [job] = await findJobs({ instanceIds, kinds: ['scan', 'deletion'], updatedSince: since, limit: 1 });
  if (job) return true;
  for (const id of instanceIds) {
    const filter = { action: 'value.preview', instanceId: id, from: since };
    if ((await listAuditRows(filter, null, 1)).length > 0) return true;
  }
  return false;
}
