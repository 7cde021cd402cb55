import type { DeletionTask } from '@/lib/model/deletions/plan-request';
import { readObservedNow } from '@/lib/store/settings/observed-clock';

/**
 * Returns the current time, in ms, of the clock by which undos end. Archives and tombstones are kept by observed time.
 * A key with a new expiry expires by the clock of its server, which is assumed to agree with the clock of this machine.
 */
export const readUndoClock = async (task: DeletionTask): Promise<number> =>
  task === 'expire' ? Date.now() : await readObservedNow();
