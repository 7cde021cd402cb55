import type { BusyNode } from '@/lib/jobs/node-claims';
import type { Cost, Progress, Speed, WaitReason } from '@/lib/model/job';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import type { SealStats } from '@/lib/snapshots/seal/sealed-stats';
import type { ScanCheckpoint } from './scan-checkpoint';

/** Functions that a scan needs from its caller: the job loop in the server, or the command line with a plain file. */
export interface ScanHooks {
  /** Aborts when the lease is lost or the process must end at once: nothing may be written any more. */
  signal: AbortSignal;
  /** Called at safe points. null: continue. */
  getStopRequest(): 'pause' | 'cancel' | 'shutdown' | null;
  /** Resolves when a stop is requested. */
  whenStopRequested: Promise<void>;
  /** Waits for a place after a wait during which other jobs got it; null: the scan has its place. */
  regainPlace(): Promise<void> | null;
  getSpeed(): Speed;
  /** Whether values may (still) be read; called right before reading them. */
  mayReadValues(): Promise<boolean>;
  /**
   * Throws when another run has taken over the scan. Called before a change to a file that other processes may read.
   */
  assertNotTakenOver(): Promise<void>;
  saveCheckpoint(checkpoint: ScanCheckpoint): Promise<void>;
  /** Claims the nodes for this scan. Returns a node that another scan reads; null: all are claimed. */
  claimNodes?(checkpoint: ScanCheckpoint): Promise<BusyNode | null>;
  report(update: { progress?: Progress; cost?: Cost; reason?: WaitReason | null }): void;
  /**
   * Called in each run of the scan when the folder and its manifest exist (`sealStats` null), and once more when the
   * snapshot is sealed.
   */
  onSnapshot(manifest: SnapshotManifest, sealStats: SealStats | null): Promise<void>;
  /** How long the scan waits for an unreachable server before a person has to act, in ms. */
  retryForMs: number;
}
