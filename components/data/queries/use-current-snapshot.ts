import { parseAsString, useQueryState } from 'nuqs';
import { chooseSnapshot } from '@/components/data/choose-snapshot';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { useSnapshots } from './use-snapshots';

export interface CurrentSnapshot {
  /** The list is being loaded, so nothing may be shown as missing yet. */
  pending: boolean;
  /** Error of the last read of the list. If a former read succeeded, its list is still here. */
  error: unknown;
  /** Reads the list again. */
  refetch: () => void;
  /** null with pending=false: this instance has no readable snapshot yet. */
  snapshot: SnapshotSummary | null;
  snapshotId: string | null;
  snapshots: SnapshotSummary[];
  /** The URL names a snapshot; otherwise the newest readable one is shown. */
  pinned: boolean;
  /** The URL names a snapshot that no longer exists; another one is shown, and the page has to say so. */
  gone: boolean;
  select: (id: string | null) => void;
}

/** Value for a link that shows the newest snapshot whenever it is opened. */
const LATEST = 'latest';

/**
 * The snapshot that every report page shows: `?snapshot=`, otherwise the newest whole one, otherwise what a running
 * scan has read so far.
 */
export function useCurrentSnapshot(instanceId: string | null): CurrentSnapshot {
  const [id, setId] = useQueryState('snapshot', parseAsString.withOptions({ history: 'push' }));
  const query = useSnapshots(instanceId);
  const snapshots = query.data ?? [];
  const snapshot = chooseSnapshot(snapshots, id);
  return {
    pending: query.isPending,
    error: query.error,
    refetch: () => void query.refetch(),
    snapshot,
    snapshotId: snapshot?.id ?? null,
    snapshots,
    pinned: id !== null && snapshot?.id === id,
    gone: id !== null && id !== LATEST && query.isSuccess && snapshot?.id !== id,
    select: (next) => void setId(next),
  };
}
