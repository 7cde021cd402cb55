import type { PartitionCheckpoint, ScanOptions } from '@/lib/model/snapshots/scan';
import type { Coverage, PartialReason, SnapshotNode } from '@/lib/model/snapshots/snapshot';

/**
 * Everything that a scan needs to continue after its process was killed. It is written after each complete part file,
 * so that at most the part being written is read again. `nodes` only grows, because rows contain an index into it.
 */
export interface ScanCheckpoint {
  snapshotId: string;
  options: ScanOptions;
  startedAt: number;
  /** The settings with the addresses of the servers, as JSON; absent: the topology was not read yet. */
  place?: string;
  nodes: SnapshotNode[];
  partitions: PartitionCheckpoint[];
  skipped: Coverage['skipped'];
  /** Reasons found while reading; `findPartialReasons` adds those that follow from the figures. */
  partialReasons?: PartialReason[];
  /** Slots that were seen migrating → the master that owned each one then. */
  openSlots?: Record<string, string>;
  commandsDenied: string[];
  oversizeReplies: number;
  lengthNotAsked: number;
  restarts: number;
  /** Number of the next part file; later parts hold newer facts. */
  nextSequence: number;
  /** True: everything is read, and only sealing remains. */
  readingDone: boolean;
  /** The fence of the run that reads the nodes; set when no other scan reads them (lib/jobs/node-claims.ts). */
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
  /** Set if the worker did not have the parts of an earlier run on its disk, so that the scan began again. */
  begunAnew?: true;
}
