import { createHash } from 'node:crypto';
import type { GrantTarget } from '@/lib/model/access';
import type { ScheduleInput, ScheduleTargets } from '@/lib/model/schedules/schedule';

/** Whether a schedule with these targets scans the instance. */
export function isTarget(targets: ScheduleTargets, instance: GrantTarget): boolean {
  if (targets.by === 'instances') return targets.ids.includes(instance.id);
  if (targets.by === 'tags') return targets.tags.some((tag) => instance.tags.includes(tag));
  return targets.environment === instance.environment;
}

/** How long after the due time the scan of an instance begins, ms: each instance has its own place in the spread. */
export function computeSpreadMs(
  scheduleId: string,
  instanceId: string,
  { spreadMinutes }: Pick<ScheduleInput, 'spreadMinutes'>,
): number {
  if (spreadMinutes === 0) return 0;
  const hash = createHash('sha256').update(`${scheduleId} ${instanceId}`).digest();
  return (hash.readUInt32BE(0) % spreadMinutes) * 60_000;
}
