import type { PartitionCheckpoint, ScanOptions } from '@/lib/model/snapshots/scan';
import type { Coverage, PartialReason, SnapshotNode } from '@/lib/model/snapshots/snapshot';
import type { StoredFile } from '@/lib/snapshot-store/contents';

/**
 * All that a scan needs to go on after its process was killed. Written after each complete part file, so that at most
 * the part being written is read again. `nodes` only grows: rows carry an index into it.
 */
export interface ScanCheckpoint {
  snapshotId: string;
  options: ScanOptions;
  startedAt: number;
  /** The settings that say where the servers are; absent before the first look at the topology. */
  place?: string;
  nodes: SnapshotNode[];
  partitions: PartitionCheckpoint[];
  skipped: Coverage['skipped'];
  /** What was found on the way; what follows from the figures is added by `partialReasons`. */
  partialReasons?: PartialReason[];
  /** Slots that were seen between two nodes, each with the master that owned it then. */
  openSlots?: Record<string, string>;
  commandsDenied: string[];
  oversizeReplies: number;
  lengthNotAsked: number;
  restarts: number;
  /** Number of the next part file; later parts hold newer facts. */
  nextSequence: number;
  /** Everything is read; what remains is to seal. */
  readingDone: boolean;
  /** The fence of the run that reads the nodes, once no other scan does (lib/jobs/node-claims.ts). */
  takenUnder?: number;
  readingEndedAt?: number;
  cost: {
    commands: number;
    bytesSent: number;
    bytesReceived: number;
    serverMs: number | null;
    worstLatencyMs: number | null;
    busyMs: number;
    waitedMs: number;
  };
  /** Where each worker has a disk of its own: files of the folder that the object store is known to hold. */
  stored?: StoredFile[] | undefined;
  /** The newest state before this one that names none but these: where a worker with another disk goes on from. */
  portable?: ScanCheckpoint | undefined;
}
