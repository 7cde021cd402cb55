import type { BusyNode } from '@/lib/jobs/node-claims';
import type { Cost, Progress, Speed, WaitReason } from '@/lib/model/job';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import type { SealStats } from '@/lib/snapshots/seal/sealed-stats';
import type { ScanCheckpoint } from './scan-checkpoint';

/** What a scan needs from whoever runs it: the job loop in the server, a plain file on the command line. */
export interface ScanHooks {
  signal: AbortSignal;
  stopRequested(): 'pause' | 'cancel' | 'shutdown' | null;
  stopped: Promise<void>;
  /** Waits without holding up other jobs. */
  withoutPlace(wait: () => Promise<void>): Promise<void>;
  speed(): Speed;
  /** Whether values may (still) be read, asked right before. */
  mayReadValues(): Promise<boolean>;
  /** Throws when the scan is another run's by now. Asked before a file of the folder changes that others may know. */
  assertHeld(): Promise<void>;
  saveCheckpoint(checkpoint: ScanCheckpoint): Promise<void>;
  /** Says to other scans that this one reads its nodes; an address = of a node that another one reads. */
  takeNodes?(checkpoint: ScanCheckpoint): Promise<BusyNode | null>;
  report(update: { progress?: Progress; cost?: Cost; reason?: WaitReason | null }): void;
  /** The folder and its manifest exist (`sealed` null), at each run of the scan; then once more, sealed. */
  onSnapshot(manifest: SnapshotManifest, sealed: SealStats | null): Promise<void>;
  /** How long an unreachable server is waited for before a person is asked, ms. */
  retryForMs: number;
}
