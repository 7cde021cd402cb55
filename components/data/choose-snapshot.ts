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

/**
 * The previous snapshot of the whole keyspace, to compare `id` with. null: there is none, or `id` covers only a part.
 * `snapshots` begins with the newest.
 */
export function findPreviousSnapshot(snapshots: SnapshotSummary[], id: string): SnapshotSummary | null {
  const shown = snapshots.find((snapshot) => snapshot.id === id);
  if (!shown || shown.isPart) return null;
  const whole = snapshots.filter(({ state, partial, isPart }) => state === 'sealed' && !partial && !isPart);
  const earlier = whole.filter(({ startedAt }) => startedAt < shown.startedAt);
  return earlier[0] ?? null;
}
