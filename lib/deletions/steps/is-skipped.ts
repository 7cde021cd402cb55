import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import type { DeletionOptions } from '@/lib/model/deletion';
import type { KeyFacts } from '@/lib/redis/write/types';

/** Below this the key may vanish under our hands. */
const SOON_MS = 60_000;

/** A key that expires within a minute, by the clock of the server, where the plan says that those are passed over. */
export function isSkipped(run: DeletionRun, { expireAt, at }: Pick<KeyFacts, 'expireAt' | 'at'>): boolean {
  const { onExpiring } = run.deletion.plan.options as DeletionOptions;
  return onExpiring === 'skip' && expireAt !== null && expireAt - (at ?? Date.now()) < SOON_MS;
}
