import type { Cost, Progress, Speed, WaitReason } from '@/lib/model/job';
import type { StoredDeletion } from '@/lib/store/deletions';
import type { Tx } from '@/lib/store/open-store';
import type { DeletionMeter } from './deletion-meter';
import type { Desks } from './desks';
import type { VerifiedArchives } from './verified-archives';

/** What a deletion needs from whoever runs it. */
export interface DeletionHooks {
  signal: AbortSignal;
  stopRequested(): 'pause' | 'cancel' | 'shutdown' | null;
  stopped: Promise<void>;
  speed(): Speed;
  report(update: { progress?: Progress; cost?: Cost; reason?: WaitReason | null }): void;
  fenced<T>(act: (tx: Tx) => Promise<T>): Promise<T>;
  /** Asked before every command. */
  panicked(): boolean;
  /** How long a server is waited for before a person is asked, ms. */
  patienceMs: number;
}

/** One run of a deletion, as its parts see it. */
export interface Work {
  readonly deletion: StoredDeletion;
  readonly hooks: DeletionHooks;
  readonly desks: Desks;
  readonly meter: DeletionMeter;
  readonly archives: VerifiedArchives;
}
