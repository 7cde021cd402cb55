import type { DeletionTask } from '@/lib/model/deletions/plan-request';
import { observedNow } from '@/lib/store/settings/observed-clock';

/**
 * The clock by which an undo ends. What we keep is kept by observed time; a key that was given an expiry goes by the
 * clock of its server, which ours is taken to follow.
 */
export const undoClock = async (task: DeletionTask): Promise<number> =>
  task === 'expire' ? Date.now() : await observedNow();
