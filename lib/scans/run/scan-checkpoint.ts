import { NO_COST } from '@/lib/model/job';
import type { PartitionCheckpoint, ScanOptions } from '@/lib/model/snapshots/scan';
import type { Coverage, PartialReason, SnapshotNode } from '@/lib/model/snapshots/snapshot';

/**
 * Everything that a scan needs to continue after its process was killed. It is written after each complete part file,
 * so that at most the part that was being written is read again. `nodes` only grows, because rows contain an index into
 * it.
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
  /** True: the worker did not have the parts of an earlier run on its disk, so the scan began again. */
  begunAnew?: true;
}

/**
 * Returns a checkpoint with an empty plan. `addNode` fills it: now for every shard, later for nodes that appear while
 * the scan runs.
 */
export function createCheckpoint(snapshotId: string, options: ScanOptions): ScanCheckpoint {
  return {
    snapshotId,
    options,
    startedAt: Date.now(),
    nodes: [],
    partitions: [],
    skipped: [],
    commandsDenied: [],
    oversizeReplies: 0,
    lengthNotAsked: 0,
    restarts: 0,
    nextSequence: 0,
    readingDone: false,
    cost: { ...NO_COST, serverMs: null, worstLatencyMs: null },
  };
}

/**
 * Resets a checkpoint after the instance got another server while the scan waited (update-scan-plan.ts), because
 * nothing that was read is from that server. Part numbers continue, so that no file name is used twice; the cost of the
 * scan so far stays.
 */
export function resetCheckpoint(checkpoint: ScanCheckpoint): void {
  const { snapshotId, options, nextSequence, restarts, cost } = checkpoint;
  const cleared = { partialReasons: undefined, openSlots: undefined, readingEndedAt: undefined, takenUnder: undefined };
  Object.assign(checkpoint, cleared, createCheckpoint(snapshotId, options), {
    nextSequence,
    restarts: restarts + 1,
    cost,
  });
}
