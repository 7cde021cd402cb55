import { parseAsString, useQueryState } from 'nuqs';
import { chooseSnapshot } from '@/components/data/choose-snapshot';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { useSnapshots } from './use-snapshots';

export interface CurrentSnapshot {
  /** Being loaded: nothing may be said yet. */
  pending: boolean;
  /** Of the list, also when only its last reading failed: what was read before is still there. */
  error: unknown;
  /** Reads the list again. */
  refetch: () => void;
  /** null with pending=false: this instance has no readable snapshot yet. */
  snapshot: SnapshotSummary | null;
  snapshotId: string | null;
  snapshots: SnapshotSummary[];
  /** The URL names one; otherwise the newest readable one is shown. */
  pinned: boolean;
  /** The URL names one that is no longer there; another is shown, which the page has to say. */
  gone: boolean;
  select: (id: string | null) => void;
}

/** A link that is to show the newest one, whenever it is opened. */
const LATEST = 'latest';

/**
 * The snapshot every report page is about: `?snapshot=`, else the newest whole one, else what a running scan has read
 * so far.
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
