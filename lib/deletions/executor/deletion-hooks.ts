import type { BusyNode, ClaimedNode } from '@/lib/jobs/node-claims';
import type { Cost, Progress, Speed, WaitReason } from '@/lib/model/job';
import type { Tx } from '@/lib/store/open-store';
import type { Refusal } from './write-permission';

/** Functions that the job engine provides for a run of a deletion. */
export interface DeletionHooks {
  /** Aborts when the lease is lost or the process must end at once: nothing may be sent or written any more. */
  signal: AbortSignal;
  /** Called at safe points. null = continue. */
  getStopRequest(): 'pause' | 'cancel' | 'shutdown' | null;
  /** Resolves when a stop is requested. */
  whenStopRequested: Promise<void>;
  /** Waits for a place after a wait during which other jobs got it; null: the deletion has its place. */
  regainPlace(): Promise<void> | null;
  getSpeed(): Speed;
  report(update: { progress?: Progress; cost?: Cost; reason?: WaitReason | null }): void;
  /**
   * Both write only while this run has the lease; `writeFencedLocked` also takes the lock of the store (`JobContext`).
   */
  writeFenced<T>(act: (tx: Tx) => Promise<T>): Promise<T>;
  writeFencedLocked<T>(act: (tx: Tx) => Promise<T>): Promise<T>;
  /** Claims these nodes against other deletions; null = claimed, otherwise a node that another deletion writes to. */
  claimNodes?(nodes: ClaimedNode[]): Promise<BusyNode | null>;
  /** Called before every command. Returns why it may not be sent; null = it may be sent. */
  findRefusal(): Refusal | null;
  /** How long to retry a server before a person has to decide, ms. */
  retryForMs: number;
}
