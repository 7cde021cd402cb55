import type { DeletionHooks } from '@/lib/deletions/executor/deletion-hooks';
import { NodeExecutor } from '@/lib/deletions/executor/node-executor';
import { StopRequested } from '@/lib/deletions/executor/run-errors';
import type { Progress } from '@/lib/model/job';
import { encodeKey } from '@/lib/model/keys/key-id';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { openSession } from '@/lib/redis/connection/connect';
import type { DestinationPolicy } from '@/lib/redis/connection/session';
import { computeScanBounds, ScanGuard } from '@/lib/redis/protocol/scan-guard';
import { readServerProcess } from '@/lib/redis/scan/scan-partition';
import { readKeyspace } from '@/lib/redis/server/keyspace';
import { readIdentity } from '@/lib/redis/server/read-identity';
import { readInternalKeys } from '@/lib/redis/write/read-internal-keys';
import type { WritingChannel } from '@/lib/redis/write/types';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { claimDeletions } from './claim-deletions';
import { countKeysRead, type LeftoversCheckpoint, type PartitionSearch } from './leftovers-checkpoint';

/** So many keys are enough to see what happened; further ones have the same cause. */
const MAX_FOUND_KEYS = 1000;
const SAVE_EVERY_MS = 1000;
const REPORT_EVERY_MS = 500;

/**
 * Searches the names of all masters for internal keys, throttled like every job, without changing anything.
 * `checkpoint` is updated in place and saved about once a second, so that an interrupted search continues from its
 * cursor. A cursor is valid only in the process that returned it. Therefore the connection that continues is asked for
 * its run id: through a balancer it may reach another server than the session. The search of a database begins again if
 * it reaches another server.
 */
export async function searchLeftovers(run: {
  target: ConnectionTarget;
  policy: DestinationPolicy;
  hooks: DeletionHooks;
  checkpoint: LeftoversCheckpoint;
  save(checkpoint: LeftoversCheckpoint): Promise<void>;
  /** Whether an administrator of all instances started it (`claimDeletions`). */
  byAdministrator: boolean;
}): Promise<'done' | 'stopped'> {
  const { hooks, checkpoint, save } = run;
  const session = await openSession(run.target, run.policy, { clientName: 'colonnade-search', signal: hooks.signal });
  try {
    const masters = session.nodes.filter((node) => node.role === 'master');
    const usable = masters.filter((node) => !session.problems.has(node.address));
    checkpoint.skipped = masters.filter((node) => !usable.includes(node)).map((node) => node.address);
    const searches = [];
    for (const node of usable)
      for (const { db, keys } of (await readKeyspace(session, node.address)).databases)
        searches.push({ node, keys, partition: findOrAddPartition(checkpoint, node.address, db, keys) });
    for (const { node, keys, partition } of searches) {
      if (checkpoint.cut) continue;
      const executor = new NodeExecutor(session, node, hooks, 'read');
      // The reason for waiting is reported during the wait, not after it.
      const reportProgress = () =>
        hooks.report({ progress: buildProgress(checkpoint), reason: executor.throttle.reason });
      const ticker = setInterval(reportProgress, REPORT_EVERY_MS);
      try {
        await searchDatabase(executor, partition, keys, run);
      } finally {
        clearInterval(ticker);
        await executor.close();
      }
    }
    await claimDeletions(run.target.id, await readIdentity(session), {
      keys: checkpoint.found,
      byAdministrator: run.byAdministrator,
    });
    return 'done';
  } catch (error) {
    if (error instanceof StopRequested || hooks.getStopRequest() !== null) return 'stopped';
    throw error;
  } finally {
    await session.close();
    await save(checkpoint);
  }
}

/** Returns the progress of a database, or begins its search. */
function findOrAddPartition(
  checkpoint: LeftoversCheckpoint,
  address: string,
  db: number,
  keys: number | null,
): PartitionSearch {
  const knownPartition = checkpoint.places.find((known) => known.address === address && known.db === db);
  if (knownPartition) return knownPartition;
  const partition = { address, runId: null, db, cursor: '0', done: false, keys, keysRead: 0 };
  checkpoint.places.push(partition);
  return partition;
}

/** Begins the search of a database again if its cursor is of another process than `runId`, or of an unknown one. */
function restartOnOtherProcess(
  checkpoint: LeftoversCheckpoint,
  partition: PartitionSearch,
  runId: string | null,
  keys: number | null,
): void {
  if (runId !== null && partition.runId === runId) return;
  Object.assign(partition, { runId, cursor: '0', done: false, keys, keysRead: 0 });
  checkpoint.found = checkpoint.found.filter((key) => key.address !== partition.address || key.db !== partition.db);
}

/** Returns the run id of the server on this connection; null if the user may not read it. */
async function readRunId(channel: WritingChannel): Promise<string | null> {
  try {
    return (await readServerProcess(channel)).runId;
  } catch (error) {
    if (error instanceof WriteFailure && error.kind === 'denied') return null;
    throw error;
  }
}

async function searchDatabase(
  executor: NodeExecutor,
  partition: PartitionSearch,
  keys: number | null,
  { hooks, checkpoint, save }: Pick<Parameters<typeof searchLeftovers>[0], 'hooks' | 'checkpoint' | 'save'>,
): Promise<void> {
  const { address, db } = partition;
  const channel = await executor.openPaced(db);
  restartOnOtherProcess(checkpoint, partition, await readRunId(channel), keys);
  const foundHere = checkpoint.found.filter((key) => key.address === address && key.db === db);
  // SCAN may return a name twice.
  const seenNames = new Set(foundHere.map((key) => key.k));
  let savedAt = performance.now();
  const guard = new ScanGuard(computeScanBounds(partition.keys), partition.cursor);
  while (!partition.done && !checkpoint.cut) {
    const count = executor.throttle.count();
    const page = await readInternalKeys(channel, partition.cursor, count);
    for (const { name, ...internalKey } of page.found) {
      const k = encodeKey(name);
      if (seenNames.has(k)) continue;
      seenNames.add(k);
      if (checkpoint.found.length >= MAX_FOUND_KEYS) checkpoint.cut = true;
      else checkpoint.found.push({ ...internalKey, k, db, address });
    }
    guard.addPage(page.cursor, page.found.length, count);
    partition.cursor = page.cursor;
    partition.done = page.cursor === '0';
    partition.keysRead = Math.min(partition.keysRead + count, partition.keys ?? Number.POSITIVE_INFINITY);
    if (partition.done && partition.keys !== null) partition.keysRead = partition.keys;
    hooks.report({ progress: buildProgress(checkpoint), reason: executor.throttle.reason });
    if (performance.now() - savedAt < SAVE_EVERY_MS) continue;
    savedAt = performance.now();
    await save(checkpoint);
  }
}

function buildProgress(checkpoint: LeftoversCheckpoint): Progress {
  const total = checkpoint.places.reduce<number | null>(
    (sum, { keys }) => (sum === null || keys === null ? null : sum + keys),
    0,
  );
  const unmeasured = { ratePerSecond: null, etaSeconds: null, nodes: [] };
  return { phase: 'scanning', unit: 'keys', done: countKeysRead(checkpoint), total, ...unmeasured };
}
