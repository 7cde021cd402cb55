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

const NOTHING = { vanished: 0, lengthNotAsked: 0, oversize: 0, internal: 0, expiring: 0 };

export interface PartitionScan {
  dir: string;
  checkpoint: ScanCheckpoint;
  partition: PartitionCheckpoint;
  input: Omit<PartitionInput, 'node' | 'db' | 'cursor' | 'runId'>;
  /** Called at safe points; true = stop when the rows in memory are durable. */
  shouldStop(): boolean;
  /** Another process owns the folder by now (lease lost): nothing may be written any more. */
  isAbandoned(): boolean;
  /** Checks with the store or the lock that this run still owns the folder; throws if not. */
  assertHeld(): Promise<void>;
  onKeys(keys: number): void;
  /** Called when parts and cursor of the partition changed; persists the checkpoint. */
  save(): Promise<void>;
}

/**
 * Reads one database of one node into part files. The cursor in the checkpoint moves only after the file with the keys
 * before it is durable. Files are written while reading continues, one at a time. When another process answers than the
 * one that gave the cursor, the cursor is invalid and reconcileTopology has the partition read again. Returns 'done' or
 * 'stopped'; throws the errors of the connection. Everything that is already durable is kept.
 */
export async function readPartition(scan: PartitionScan): Promise<'done' | 'stopped'> {
  const { checkpoint, partition, dir } = scan;
  let writer: PartWriter | null = null;
  let flushing: Promise<void> = Promise.resolve();
  let flushFailed: unknown = null;
  /** The position of reading after the last page. */
  let reached = { cursor: partition.cursor, runId: partition.runId, done: false };
  /** Holds what was counted in the pages since the last flush. */
  let pending = { ...NOTHING };
  // Part files of this run have a name of their own, so that no earlier run, which may still be writing, uses it too.
  const token = randomBytes(4).toString('hex');

  const flush = async () => {
    await flushing;
    if (flushFailed) throw flushFailed;
    const closing = writer;
    const counted = pending;
    const position = reached;
    writer = null;
    pending = { ...NOTHING };
    flushing = (async () => {
      if (closing && closing.rows > 0) {
        const part = await closing.finish(scan.assertHeld);
        partition.parts.push(part.file);
        partition.keys += part.rows;
      } else await closing?.abort();
      Object.assign(partition, position);
      partition.vanished += counted.vanished;
      partition.internal = (partition.internal ?? 0) + counted.internal;
      partition.expiring = (partition.expiring ?? 0) + counted.expiring;
      checkpoint.lengthNotAsked += counted.lengthNotAsked;
      checkpoint.oversizeReplies += counted.oversize;
      await scan.save();
    })().catch((error) => {
      flushFailed = error;
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
        token,
      });
      if (batch.lostPages) noteLostPages(checkpoint, partition, batch.lostPages);
      pending.internal += excludeInternalKeys(batch.page);
      pending.expiring += countExpiring(batch.page);
      await writer.append(batch.page);
      reached = { cursor: batch.cursorAfter, runId: batch.runId, done: batch.done };
      pending.vanished += batch.vanished;
      pending.lengthNotAsked += batch.lengthNotAsked;
      pending.oversize += batch.oversize;
      scan.onKeys(batch.page.count);
      const age = Date.now() - writer.startedAtMs;
      const isOld = age >= PART_MS || (partition.parts.length === 0 && age >= FIRST_PART_MS);
      const isFull = writer.rows >= PART_ROWS || writer.isLarge || isOld;
      const stop = scan.shouldStop();
      if (batch.done || isFull || stop) await flush();
      if (stop && !batch.done) break;
    }
    await flushing;
    if (flushFailed) throw flushFailed;
    return partition.done ? 'done' : 'stopped';
  } catch (error) {
    if (isCursorLost(error)) partition.runId = null;
    // The scan was stopped while the throttle held it, or by critical latency. The pages in memory are complete, so
    // they are kept, and a later run continues after them.
    const stop = scan.shouldStop();
    const keepsPages = stop || scan.input.signal.aborted;
    if (flushFailed || !keepsPages || scan.isAbandoned()) throw error;
    await flush();
    await flushing;
    if (!stop) throw error;
    if (flushFailed) throw flushFailed;
    return partition.done ? 'done' : 'stopped';
  } finally {
    await flushing;
    await (writer as PartWriter | null)?.abort();
  }
}

/** Records pages whose replies were too large to be read, so that their keys are missing. */
function noteLostPages(checkpoint: ScanCheckpoint, { node, db }: PartitionCheckpoint, pages: number): void {
  const address = checkpoint.nodes[node]?.address ?? null;
  const known = checkpoint.partialReasons?.find(
    (reason) => reason.code === 'oversize_replies' && reason.address === address && reason.db === db,
  );
  if (known) known.params.replies = (known.params.replies ?? 0) + pages;
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
