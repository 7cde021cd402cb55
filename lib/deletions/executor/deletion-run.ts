import type { StoredDeletion } from '@/lib/store/deletions/deletions';
import type { DeletionHooks } from './deletion-hooks';
import type { DeletionMeter } from './deletion-meter';
import type { NodeExecutors } from './node-executors';
import type { VerifiedArchives } from './verified-archives';

/** All steps of one run of a deletion share this. */
export interface DeletionRun {
  readonly deletion: StoredDeletion;
  readonly hooks: DeletionHooks;
  readonly executors: NodeExecutors;
  readonly meter: DeletionMeter;
  readonly archives: VerifiedArchives;
  /** Archive files that were begun since the job was claimed: only these may be appended to. */
  readonly begunArchives: Set<string>;
  /**
   * Returns why this action may not change a key; null = it may. The function itself is null for an undo, which may
   * restore any key.
   */
  readonly findProtection: ((key: { raw: Buffer; name: string }) => 'protected' | 'ours' | null) | null;
}
