import { useFormat } from '@/components/data/format/use-format';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useHere } from '@/components/layout/navigation/use-here';

/**
 * The snapshot that the address names, if it exists: the text of its chip, and a function that removes it from the
 * address. null: the newest one is shown.
 */
export function usePinnedSnapshot(): { text: string; remove: () => void } | null {
  const { instanceId } = useHere();
  const { snapshot, pinned, select } = useCurrentSnapshot(instanceId);
  const f = useFormat();
  if (!pinned || snapshot === null) return null;
  return { text: f.dateTime(snapshot.startedAt), remove: () => select(null) };
}
