import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';

/**
 * Returns a file name without an extension, such as `colonnade-mall-ttl-2026-11-24`: the instance, the exported
 * part (null: nothing to add), and the day of the scan in UTC.
 */
export function buildExportName(
  { startedAt, instanceName }: Pick<SnapshotManifest, 'startedAt' | 'instanceName'>,
  part: string | null,
): string {
  const day = new Date(startedAt).toISOString().slice(0, 10);
  const name = instanceName.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+|-+$/g, '') || 'instance';
  return ['colonnade', name, ...(part === null ? [] : [part]), day].join('-');
}
