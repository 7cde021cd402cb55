import { shareWhileLive } from '@/lib/rules/findings/share-while-live';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';

/**
 * Shares one answer about a running scan among all readers, even if the first one leaves. `sharingKey`: everything that
 * identifies the query besides the snapshot and its policy; null: the query belongs to one reader and is not shared.
 */
export function shareLiveAnswer<T>(
  sharingKey: readonly unknown[] | null,
  runQuery: (ref: SnapshotRef) => Promise<T>,
): (ref: SnapshotRef) => Promise<T> {
  return async (ref) => {
    if (sharingKey === null || ref.manifest.state !== 'live') return runQuery(ref);
    const { hash } = await getEffectivePolicy(ref.manifest.instanceId);
    const { signal: _, ...withoutSignal } = ref;
    return shareWhileLive(JSON.stringify([ref.manifest.id, hash, ...sharingKey]), () => runQuery(withoutSignal));
  };
}
