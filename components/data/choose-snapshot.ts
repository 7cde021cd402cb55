import type { SnapshotSummary } from '@/lib/model/reports/fleet';

export function isReadable(snapshot: SnapshotSummary): boolean {
  return snapshot.state === 'sealed' || snapshot.state === 'live';
}

/** The one that is asked for, else the newest whole one, else what a running scan has read so far. */
export function chooseSnapshot(snapshots: SnapshotSummary[], id: string | null): SnapshotSummary | null {
  const readable = snapshots.filter(isReadable);
  return snapshots.find((s) => s.id === id) ?? readable.find((s) => s.state === 'sealed') ?? readable[0] ?? null;
}

export const newestFirst = (snapshots: SnapshotSummary[]) => snapshots.toSorted((a, b) => b.startedAt - a.startedAt);

/** The whole snapshot that was taken before this one, to compare it with. */
export function snapshotBefore(snapshots: SnapshotSummary[], id: string): SnapshotSummary | null {
  const shown = snapshots.find((s) => s.id === id);
  if (!shown) return null;
  const earlier = snapshots.filter((s) => s.state === 'sealed' && !s.partial && s.startedAt < shown.startedAt);
  return newestFirst(earlier)[0] ?? null;
}
