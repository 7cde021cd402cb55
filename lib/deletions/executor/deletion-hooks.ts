import type { BusyNode, ClaimedNode } from '@/lib/jobs/node-claims';
import type { Cost, Progress, Speed, WaitReason } from '@/lib/model/job';
import type { Tx } from '@/lib/store/open-store';
import type { Refusal } from './write-permission';

/** What a deletion needs from whoever runs it. */
export interface DeletionHooks {
  signal: AbortSignal;
  stopRequested(): 'pause' | 'cancel' | 'shutdown' | null;
  stopped: Promise<void>;
  /** Waits without holding up other jobs. */
  withoutPlace(wait: () => Promise<void>): Promise<void>;
  speed(): Speed;
  report(update: { progress?: Progress; cost?: Cost; reason?: WaitReason | null }): void;
  fenced<T>(act: (tx: Tx) => Promise<T>): Promise<T>;
  fencedAlone<T>(act: (tx: Tx) => Promise<T>): Promise<T>;
  /** Says to other deletions that this one writes these nodes; an address = of one that another deletion writes. */
  takeNodes?(nodes: ClaimedNode[]): Promise<BusyNode | null>;
  /** Asked before every command: why it may not be sent. */
  refused(): Refusal | null;
  /** How long a server is waited for before a person is asked, ms. */
  retryForMs: number;
}
