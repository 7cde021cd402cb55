import { findNewestSealed, type SnapshotSummary } from '@/lib/model/reports/fleet';

export function isReadable(snapshot: SnapshotSummary): boolean {
  return snapshot.state === 'sealed' || snapshot.state === 'live';
}

/**
 * The requested snapshot; otherwise the newest sealed one; otherwise what a running scan has read so far. null: none is
 * readable.
 */
export function chooseSnapshot(snapshots: SnapshotSummary[], id: string | null): SnapshotSummary | null {
  return (
    snapshots.find((snapshot) => snapshot.id === id) ??
    findNewestSealed(snapshots) ??
    snapshots.find(isReadable) ??
    null
  );
}
