import type { StoredDeletion } from '@/lib/store/deletions';
import type { DeletionHooks } from './deletion-hooks';
import type { DeletionMeter } from './deletion-meter';
import type { Desks } from './desks';
import type { VerifiedArchives } from './verified-archives';

/** One run of a deletion, as its parts see it. */
export interface Work {
  readonly deletion: StoredDeletion;
  readonly hooks: DeletionHooks;
  readonly desks: Desks;
  readonly meter: DeletionMeter;
  readonly archives: VerifiedArchives;
}
