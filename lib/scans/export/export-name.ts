import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';

/** `colonnade-mall-ttl-2026-11-24`, without an ending: what was asked, of which instance, on which day. */
export function exportName(
  { startedAt, instanceName }: Pick<SnapshotManifest, 'startedAt' | 'instanceName'>,
  what: string | null,
): string {
  const day = new Date(startedAt).toISOString().slice(0, 10);
  const name = instanceName.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+|-+$/g, '') || 'instance';
  return ['colonnade', name, ...(what === null ? [] : [what]), day].join('-');
}
