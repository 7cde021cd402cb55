import { setTimeout as sleep } from 'node:timers/promises';
import { JobBlocked } from '@/lib/jobs/loop/job-kind';
import { TRANSIENT_CODES } from '@/lib/jobs/retry/transient-codes';
import { AppError } from '@/lib/model/errors';
import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import type { PartitionCheckpoint } from '@/lib/model/snapshots/scan';
import type { RedisSession } from '@/lib/redis/connection/session';
import { RedisReplyError } from '@/lib/redis/protocol/any-reply';
import { toReplyError } from '@/lib/redis/protocol/channel';
import { probeCapabilities } from '@/lib/redis/server/capabilities';
import type { ScanCapabilities } from '@/lib/redis/server/scan-capabilities';
import type { NodeThrottle } from '@/lib/redis/throttle/node-throttle';
import { watchPressure } from '@/lib/redis/throttle/watch-pressure';
import type { ScanCheckpoint } from './scan-checkpoint';
import type { ScanHooks } from './scan-hooks';
import type { ScanMeter } from './scan-meter';
import { scanToParts } from './scan-to-parts';
import { skipDatabase } from './update-scan-plan';

/** A scan that has not stopped by itself this many ms after a stop request is aborted. */
const STOP_GRACE_MS = 400;

interface NodeScan {
  session: RedisSession;
  dir: string;
  checkpoint: ScanCheckpoint;
  /** Index into the nodes of the checkpoint. */
  nodeIndex: number;
  /** Above these thresholds the element count of a key is read even if that resets its idle time. */
  lengthThresholds: BigkeyThresholds;
  throttle: NodeThrottle;
  meter: ScanMeter;
  hooks: ScanHooks;
  saveCheckpoint(): Promise<void>;
  /** Aborts when another node failed for good, so that no work outlives the scan. */
  signal: AbortSignal;
}

/**
 * The result of reading one node. `lost`: the connection was lost or the process changed; the caller reads the topology
 * and continues. `refused`: reading this node failed and a repetition would not help (no permission, a wrong password,
 * TLS, not Redis); `error` says why.
 */
export type NodeOutcome =
  | { kind: 'done' }
  | { kind: 'stopped' }
  | { kind: 'lost'; error: AppError }
  | { kind: 'refused'; error: AppError };

/** Reads every open partition of one node, one database after the other, under one throttle and one pressure watch. */
export async function scanNode(scan: NodeScan): Promise<NodeOutcome> {
  const { session, checkpoint, throttle, hooks } = scan;
  const node = checkpoint.nodes[scan.nodeIndex];
  if (node === undefined) throw new Error(`no node ${scan.nodeIndex}`);
  const openPartitions = checkpoint.partitions.filter(
    (partition) => partition.node === scan.nodeIndex && !partition.done,
  );
  if (openPartitions.length === 0) return { kind: 'done' };

  const stopNode = new AbortController();
  const signal = AbortSignal.any([scan.signal, stopNode.signal]);
  let pressureWatch: { stop(): void } | null = null;
  let hasEnded = false;
  // A scan that the throttle makes wait gets no page after which it could stop, so a stop request aborts it.
  const abortIfStillRunning = async () => {
    await sleep(STOP_GRACE_MS);
    if (!hasEnded) stopNode.abort();
  };
  void hooks.whenStopRequested.then(abortIfStillRunning);
  try {
    pressureWatch = watchPressure(session, node.address, throttle, {
      onUpdate: () => {
        if (throttle.critical) stopNode.abort(throttle.critical);
      },
    });
    let capabilities: ScanCapabilities | null = null;
    const refusedPartitions: [PartitionCheckpoint, AppError][] = [];
    for (const partition of openPartitions) {
      try {
        capabilities ??= await probeDatabase(session, node.address, partition.db);
        noteDeniedCommands(checkpoint, capabilities);
        const outcome = await scanPartitionOfNode(scan, partition, node, capabilities, signal);
        if (outcome === 'stopped') return { kind: 'stopped' };
      } catch (error) {
        // Permissions may differ per database (Valkey 9.1), so the other databases are read. If all are refused, the
        // node is.
        if (!(error instanceof AppError) || error.code !== 'redis_no_permission') throw error;
        refusedPartitions.push([partition, error]);
        if (refusedPartitions.length === openPartitions.length) return { kind: 'refused', error };
        capabilities = null;
      }
    }
    for (const [partition, { code }] of refusedPartitions) skipDatabase(checkpoint, partition, code);
    return { kind: 'done' };
  } catch (error) {
    const critical = throttle.critical;
    // Another process or role at the same address is no danger: the topology decides what is read again.
    if (critical && (critical.code === 'run_id_changed' || critical.code === 'role_changed')) {
      return {
        kind: 'lost',
        error: new AppError('redis_unreachable', 'The server behind this address has changed.', { host: node.address }),
      };
    }
    if (critical) throw new JobBlocked({ code: critical.code, params: { ...critical.params, address: node.address } });
    if (hooks.signal.aborted || scan.signal.aborted || stopNode.signal.aborted) return { kind: 'stopped' };
    if (error instanceof AppError && TRANSIENT_CODES.has(error.code)) return { kind: 'lost', error };
    if (error instanceof AppError && error.code.startsWith('redis_')) return { kind: 'refused', error };
    throw error;
  } finally {
    hasEnded = true;
    pressureWatch?.stop();
  }
}

/**
 * Returns which commands may be sent in this database. Throws `redis_no_permission` when nothing in it can be read, and
 * an error when the server answers nothing at the moment, because the scan would then read names without facts.
 */
async function probeDatabase(session: RedisSession, address: string, db: number): Promise<ScanCapabilities> {
  const { scan, unanswered } = await probeCapabilities(session, address, db);
  if (unanswered) throw toReplyError(unanswered, { address });
  if (scan.scan || !scan.denied.includes('SCAN')) return scan;
  throw toReplyError(new RedisReplyError('NOPERM'), { command: 'SCAN', address });
}

function noteDeniedCommands({ commandsDenied }: ScanCheckpoint, { denied }: ScanCapabilities): void {
  for (const command of denied) if (!commandsDenied.includes(command)) commandsDenied.push(command);
}

async function scanPartitionOfNode(
  scan: NodeScan,
  partition: PartitionCheckpoint,
  node: { address: string; role: 'master' | 'replica' | 'unknown' },
  capabilities: ScanCapabilities,
  signal: AbortSignal,
): Promise<'done' | 'stopped'> {
  const { session, checkpoint, meter, hooks, throttle } = scan;
  meter.beginPartition(partition);
  return scanToParts({
    dir: scan.dir,
    checkpoint,
    partition,
    input: {
      session,
      address: node.address,
      role: node.role,
      clustered: session.target.topology === 'cluster',
      facts: checkpoint.options.facts,
      counts: checkpoint.options.counts,
      thresholds: scan.lengthThresholds,
      capabilities,
      matchPrefix: checkpoint.options.match === null ? null : Buffer.from(checkpoint.options.match, 'utf8'),
      throttle,
      signal,
    },
    shouldStop: () => hooks.getStopRequest() !== null,
    isTakenOver: () => hooks.signal.aborted,
    assertNotTakenOver: () => hooks.assertNotTakenOver(),
    onKeysRead: (keys) => meter.addKeys(partition, keys),
    save: scan.saveCheckpoint,
  });
}
