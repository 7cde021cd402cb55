import { SINCE_BASELINE, SINCE_PREVIOUS } from '@/lib/model/comparison/comparison-words';
import { AppError } from '@/lib/model/errors';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { isLimitedScan } from '@/lib/model/snapshots/is-limited-scan';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import type { ComparedRef } from '@/lib/snapshots/compare/common-part';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { getInstanceRow } from '@/lib/store/instances';
import { getSnapshotRow, listSnapshotRows } from '@/lib/store/snapshots';

/** A snapshot with the databases that its instance is limited to. Errors: those of `readManifest`. */
export async function openCompared(id: string): Promise<ComparedRef> {
  const dir = getSnapshotFolder(id);
  return withDatabases({ dir, manifest: await readManifest(dir) });
}

export async function withDatabases(ref: ComparedRef): Promise<ComparedRef> {
  const { instanceId } = ref.manifest;
  const instance = instanceId === null ? null : await getInstanceRow(instanceId);
  return { ...ref, databases: instance?.settings.databases ?? null };
}

/**
 * Returns the snapshot that `since` names: the previous one of the whole keyspace, the baseline of the instance, or the
 * one with this id. null: there is none, or it is the same snapshot.
 */
export async function findCompared(manifest: SnapshotManifest, since: string): Promise<SnapshotSummary | null> {
  if (since === SINCE_PREVIOUS) return findSnapshotBefore(manifest);
  if (since !== SINCE_BASELINE) return getSnapshotRow(since);
  const { instanceId, state } = manifest;
  if (instanceId === null || state !== 'sealed') return null;
  const baseline = (await listSnapshotRows(instanceId)).find((row) => row.baseline) ?? null;
  return baseline?.id === manifest.id ? null : baseline;
}

/** Errors: `bad_request` if there is none, it is the same snapshot, or one of the two is not sealed. */
export async function requireCompared(manifest: SnapshotManifest, since: string): Promise<SnapshotSummary> {
  const found = await findCompared(manifest, since);
  const refuse = (reason: string, message: string) => new AppError('bad_request', message, { reason });
  if (since === manifest.id)
    throw refuse('sameSnapshot', 'This is the same snapshot. Choose another one to compare with.');
  if (found === null && since === SINCE_BASELINE)
    throw refuse('noBaseline', 'This instance has no baseline other than this snapshot. Choose one first.');
  if (found === null && since === SINCE_PREVIOUS)
    throw refuse('noPrevious', 'There is no earlier snapshot of the whole keyspace to compare with.');
  if (found === null) throw new AppError('not_found', 'There is no such snapshot.', { id: since });
  if (manifest.state !== 'sealed' || found.state !== 'sealed')
    throw refuse('notSealed', 'Only snapshots of scans that have ended can be compared.');
  return found;
}

/**
 * Returns the newest earlier snapshot of the whole keyspace. null if `manifest` is not of the whole keyspace itself:
 * what one of the two left out is not compared, so it would be called a part.
 */
async function findSnapshotBefore(manifest: SnapshotManifest): Promise<SnapshotSummary | null> {
  const { instanceId, state, coverage, options } = manifest;
  if (state !== 'sealed' || instanceId === null || coverage.partial || isLimitedScan(options)) return null;
  const newestFirst = await listSnapshotRows(instanceId);
  const isEarlierWhole = (row: SnapshotSummary) =>
    row.state === 'sealed' && !row.partial && !row.isPart && row.startedAt < manifest.startedAt;
  return newestFirst.find((row) => row.id !== manifest.id && isEarlierWhole(row)) ?? null;
}
