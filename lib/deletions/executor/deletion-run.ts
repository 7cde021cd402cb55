import type { StoredDeletion } from '@/lib/store/deletions/deletions';
import type { DeletionHooks } from './deletion-hooks';
import type { DeletionMeter } from './deletion-meter';
import type { NodeExecutors } from './node-executors';
import type { VerifiedArchives } from './verified-archives';

/** One run of a deletion, as its parts see it. */
export interface DeletionRun {
  readonly deletion: StoredDeletion;
  readonly hooks: DeletionHooks;
  readonly executors: NodeExecutors;
  readonly meter: DeletionMeter;
  readonly archives: VerifiedArchives;
  /** Archive files that were begun since its job was claimed: only these may be continued. */
  readonly begunArchives: Set<string>;
  /** Names that this action does not change; null = an undo, which may restore any of them. */
  readonly protectedBy: ((key: { raw: Buffer; name: string }) => 'protected' | 'ours' | null) | null;
}
