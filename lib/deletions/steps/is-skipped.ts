import type { Work } from '@/lib/deletions/executor/deletion-run';
import type { DeletionOptions } from '@/lib/model/deletion';
import type { KeyLook } from '@/lib/redis/write/types';

/** Below this the key may vanish under our hands. */
const SOON_MS = 60_000;

/** A key that expires within a minute, by the clock of the server, where the plan says that those are passed over. */
export function isSkipped(work: Work, { expireAt, at }: Pick<KeyLook, 'expireAt' | 'at'>): boolean {
  const { onExpiring } = work.deletion.plan.options as DeletionOptions;
  return onExpiring === 'skip' && expireAt !== null && expireAt - (at ?? Date.now()) < SOON_MS;
}
