import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import { shareWhileLive } from '@/lib/findings/share-while-live';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';

/**
 * Of a running scan one answer serves all who look on, whoever asked first and whether they stay. `question`: what is
 * asked, beside the snapshot and its policy; null: it is one reader's own.
 */
export function askShared<T>(
  question: readonly unknown[] | null,
  ask: (ref: SnapshotRef) => Promise<T>,
): (ref: SnapshotRef) => Promise<T> {
  return async (ref) => {
    if (question === null || ref.manifest.state !== 'live') return ask(ref);
    const { hash } = await effectivePolicy(ref.manifest.instanceId);
    const { signal: _, ...alone } = ref;
    return shareWhileLive(JSON.stringify([ref.manifest.id, hash, ...question]), () => ask(alone));
  };
}
