import { findNewestSealed, type SnapshotSummary } from '@/lib/model/reports/fleet';

export function isReadable(snapshot: SnapshotSummary): boolean {
  return snapshot.state === 'sealed' || snapshot.state === 'live';
}

/**
 * The requested snapshot; otherwise the newest sealed one; otherwise what a running scan has read so far. null: none is
 * readable.
 */
export function chooseSnapshot(snapshots: SnapshotSummary[], id: string | null): SnapshotSummary | null {
  return snapshots.find((s) => s.id === id) ?? findNewestSealed(snapshots) ?? snapshots.find(isReadable) ?? null;
}

export const sortNewestFirst = (snapshots: SnapshotSummary[]) =>
  snapshots.toSorted((a, b) => b.startedAt - a.startedAt);

/**
 * The previous snapshot of the whole keyspace, to compare this one with. null if there is none, or if this one covers
 * only a part.
 */
export function findPreviousSnapshot(snapshots: SnapshotSummary[], id: string): SnapshotSummary | null {
  const shown = snapshots.find((s) => s.id === id);
  if (!shown || shown.isPart) return null;
  const whole = snapshots.filter((s) => s.state === 'sealed' && !s.partial && !s.isPart);
  const earlier = whole.filter((s) => s.startedAt < shown.startedAt);
  return sortNewestFirst(earlier)[0] ?? null;
}
