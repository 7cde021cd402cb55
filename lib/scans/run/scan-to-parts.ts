import { randomBytes } from 'node:crypto';
import type { FactsPage } from '@/lib/model/snapshots/facts-page';
import type { PartitionCheckpoint } from '@/lib/model/snapshots/scan';
import { excludeInternalKeys } from '@/lib/redis/scan/exclude-internal-keys';
import type { PartitionInput } from '@/lib/redis/scan/scan-batch';
import { isCursorLost, scanPartition } from '@/lib/redis/scan/scan-partition';
import { createPartWriter, type PartWriter } from '@/lib/snapshots/parts/part-writer';
import type { ScanCheckpoint } from './scan-checkpoint';

/**
 * A part is closed at this many rows or this age in ms, which limits what a crash can cost. With long names it is
 * closed earlier.
 */
const PART_ROWS = 250_000;
const PART_MS = 10_000;
/** The first part closes early, so that the live page has something to show. */
const FIRST_PART_MS = 1_500;

const NO_COUNTS = { vanished: 0, lengthNotAsked: 0, oversize: 0, internal: 0, expiring: 0 };

export interface PartitionScan {
  dir: string;
  checkpoint: ScanCheckpoint;
  partition: PartitionCheckpoint;
  input: Omit<PartitionInput, 'node' | 'db' | 'cursor' | 'runId'>;
  /** Called at safe points; true = stop when the rows in memory are durable. */
  shouldStop(): boolean;
  /** Whether another process owns the folder by now (lease lost): nothing may be written any more. */
  isTakenOver(): boolean;
  /** Checks with the store, or with the lock of the folder, that this run still owns the folder; throws if not. */
  assertNotTakenOver(): Promise<void>;
  onKeysRead(keys: number): void;
  /** Called when parts and cursor of the partition changed; persists the checkpoint. */
  save(): Promise<void>;
}

/**
 * Reads one database of one node into part files. The cursor in the checkpoint moves only after the file with the keys
 * before it is durable. Files are written while reading continues, one at a time. When another process answers than the
 * one that gave the cursor, the cursor is invalid and reconcileTopology has the partition read again. Returns 'done' or
 * 'stopped'; throws the errors of the connection. Everything that is already durable is kept.
 */
export async function scanToParts(scan: PartitionScan): Promise<'done' | 'stopped'> {
  const { checkpoint, partition, dir } = scan;
  let writer: PartWriter | null = null;
  let currentFlush: Promise<void> = Promise.resolve();
  let flushError: unknown = null;
  /** The position of the scan after the last page. */
  let position = { cursor: partition.cursor, runId: partition.runId, done: false };
  /** What was counted in the pages since the last flush. */
  let unsavedCounts = { ...NO_COUNTS };
  // The names of part files contain a token of this run, because an earlier run may still be writing.
  const runToken = randomBytes(4).toString('hex');

  const flush = async () => {
    await currentFlush;
    if (flushError) throw flushError;
    const closingWriter = writer;
    const counts = unsavedCounts;
    const flushedPosition = position;
    writer = null;
    unsavedCounts = { ...NO_COUNTS };
    currentFlush = (async () => {
      if (closingWriter && closingWriter.rows > 0) {
        const part = await closingWriter.finish(scan.assertNotTakenOver);
        partition.parts.push(part.file);
        partition.keys += part.rows;
      } else await closingWriter?.abort();
      Object.assign(partition, flushedPosition);
      partition.vanished += counts.vanished;
      partition.internal = (partition.internal ?? 0) + counts.internal;
      partition.expiring = (partition.expiring ?? 0) + counts.expiring;
      checkpoint.lengthNotAsked += counts.lengthNotAsked;
      checkpoint.oversizeReplies += counts.oversize;
      await scan.save();
    })().catch((error) => {
      flushError = error;
    });
  };

  try {
    const { node, db, cursor, runId } = partition;
    const pages = scanPartition({ ...scan.input, node, db, cursor, runId });
    for await (const batch of pages) {
      writer ??= await createPartWriter(dir, {
        node: partition.node,
        db: partition.db,
        sequence: checkpoint.nextSequence++,
        token: runToken,
      });
      if (batch.lostPages) noteLostPages(checkpoint, partition, batch.lostPages);
      unsavedCounts.internal += excludeInternalKeys(batch.page);
      unsavedCounts.expiring += countExpiring(batch.page);
      await writer.append(batch.page);
      position = { cursor: batch.cursorAfter, runId: batch.runId, done: batch.done };
      unsavedCounts.vanished += batch.vanished;
      unsavedCounts.lengthNotAsked += batch.lengthNotAsked;
      unsavedCounts.oversize += batch.oversize;
      scan.onKeysRead(batch.page.count);
      const ageMs = Date.now() - writer.startedAtMs;
      const isOld = ageMs >= PART_MS || (partition.parts.length === 0 && ageMs >= FIRST_PART_MS);
      const isFull = writer.rows >= PART_ROWS || writer.isLarge || isOld;
      const mustStop = scan.shouldStop();
      if (batch.done || isFull || mustStop) await flush();
      if (mustStop && !batch.done) break;
    }
    await currentFlush;
    if (flushError) throw flushError;
    return partition.done ? 'done' : 'stopped';
  } catch (error) {
    if (isCursorLost(error)) partition.runId = null;
    // The scan was stopped while it was throttled, or by critical latency. The pages in memory are complete, so
    // they are kept, and a later run continues after them.
    const mustStop = scan.shouldStop();
    const keepsPages = mustStop || scan.input.signal.aborted;
    if (flushError || !keepsPages || scan.isTakenOver()) throw error;
    await flush();
    await currentFlush;
    if (!mustStop) throw error;
    if (flushError) throw flushError;
    return partition.done ? 'done' : 'stopped';
  } finally {
    await currentFlush;
    await (writer as PartWriter | null)?.abort();
  }
}

/** Records pages whose replies were too large to be read, so that their keys are missing. */
function noteLostPages(checkpoint: ScanCheckpoint, { node, db }: PartitionCheckpoint, pages: number): void {
  const address = checkpoint.nodes[node]?.address ?? null;
  const knownReason = checkpoint.partialReasons?.find(
    (reason) => reason.code === 'oversize_replies' && reason.address === address && reason.db === db,
  );
  if (knownReason) knownReason.params.replies = (knownReason.params.replies ?? 0) + pages;
  else
    checkpoint.partialReasons = [
      ...(checkpoint.partialReasons ?? []),
      { code: 'oversize_replies', address, db, params: { replies: pages } },
    ];
}

function countExpiring({ count, expireAt }: FactsPage): number {
  let expiring = 0;
  for (let i = 0; i < count; i++) if (expireAt[i]! >= 0) expiring++;
  return expiring;
}
