import { JobBlocked } from '@/lib/jobs/loop/job-kind';
import type { PartitionCheckpoint } from '@/lib/model/snapshots/scan';
import type { RedisSession } from '@/lib/redis/connection/session';
import { listSlotMasters } from '@/lib/redis/connection/slot-master';
import { readKeyspace } from '@/lib/redis/server/keyspace';
import { chooseNodes, listExcluded } from './choose-nodes';
import { deleteParts } from './delete-parts';
import { addNode, getKeyCount, noteOpenSlots } from './plan-scan';
import { reconcileTopology } from './reconcile-topology';
import type { ScanCheckpoint } from './scan-checkpoint';

/** After this many restarts the job is blocked until a person decides, because a shard may keep changing servers. */
const MAX_RESTARTS = 20;

/**
 * Returns whether the instance now has another server, and records in the checkpoint which addresses its settings name
 * now. It has another server if its settings name another address than when they were last recorded, and no node that
 * was read is left, under any address. If one node is left, it is the same deployment under another of its addresses.
 */
export function noteServerChange({ target, nodes }: RedisSession, checkpoint: ScanCheckpoint): boolean {
  const settingsNow = JSON.stringify([
    target.topology,
    target.endpoints,
    target.sentinelName ?? null,
    target.addressMap,
  ]);
  const { place = settingsNow } = checkpoint;
  checkpoint.place = settingsNow;
  if (place === settingsNow || checkpoint.nodes.length === 0) return false;
  const isKnown = ({ address, runId }: { address: string; runId: string | null }) =>
    checkpoint.nodes.some((node) => node.address === address || (runId !== null && node.runId === runId));
  return !nodes.some(isKnown);
}

/**
 * Updates the plan to the current topology. `changed`: something must be read, or read again. `unreachable`: addresses
 * of shards that do not answer.
 */
export async function updateScanPlan(
  session: RedisSession,
  checkpoint: ScanCheckpoint,
  dir: string,
): Promise<{ changed: boolean; unreachable: string[] }> {
  const begunAddresses = new Set(
    checkpoint.partitions.map((partition) => checkpoint.nodes[partition.node]?.address ?? ''),
  );
  const { chosen, notRead } = chooseNodes(
    session.nodes,
    checkpoint.options.target,
    begunAddresses,
    listExcluded(session),
  );
  const unreachable = notRead.filter((node) => node.reason === 'unreachable').map((node) => node.address);
  const keptAddresses = notRead.flatMap(({ address, reason }) => (reason === 'no_healthy_replica' ? [] : [address]));
  const { staleParts, restartedAddresses, newNodes } = reconcileTopology(checkpoint, chosen, keptAddresses);
  checkpoint.restarts += restartedAddresses.length;
  if (checkpoint.restarts > MAX_RESTARTS)
    throw new JobBlocked({ code: 'topology_changed', params: { restarts: checkpoint.restarts } });
  // Nodes and databases that were skipped because of an error stay skipped.
  const skippedByError = checkpoint.skipped.filter((node) => node.reason.startsWith('redis_'));
  checkpoint.skipped = [...skippedByError, ...notRead.map((node) => ({ ...node, db: null }))];
  for (const node of newNodes) await addNode(session, checkpoint, node);
  await deleteParts(dir, staleParts);
  forgetMovedSlots(session, checkpoint);
  await noteOpenSlots(session, checkpoint);
  return {
    changed:
      restartedAddresses.length > 0 ||
      newNodes.length > 0 ||
      checkpoint.partitions.some((partition) => !partition.done),
    unreachable,
  };
}

/**
 * Forgets migrating slots that have a new owner by now. The new owner is read again after the move
 * (reconcile-topology.ts), so no key of the slot is missing.
 */
function forgetMovedSlots(session: RedisSession, checkpoint: ScanCheckpoint): void {
  const { openSlots = {} } = checkpoint;
  const masters = listSlotMasters(session.nodes);
  for (const [slot, oldMaster] of Object.entries(openSlots)) {
    const master = masters[Number(slot)];
    if (master !== undefined && master.address !== oldMaster) delete openSlots[slot];
  }
}

/** Excludes a node for the rest of the scan and records it: the snapshot is partial, never smaller without a reason. */
export function skipNode(checkpoint: ScanCheckpoint, node: number, reason: string): void {
  const address = checkpoint.nodes[node]?.address ?? '';
  checkpoint.skipped = [
    ...checkpoint.skipped.filter((skipped) => skipped.address !== address),
    { address, db: null, reason },
  ];
  checkpoint.partitions = checkpoint.partitions.filter(
    (partition) => partition.node !== node || partition.done || partition.parts.length > 0,
  );
  for (const partition of checkpoint.partitions) if (partition.node === node) partition.done = true;
}

/** Excludes one database that the user may not read and records it. What was read of it before stays. */
export function skipDatabase(checkpoint: ScanCheckpoint, partition: PartitionCheckpoint, reason: string): void {
  const address = checkpoint.nodes[partition.node]?.address ?? '';
  checkpoint.skipped.push({ address, db: partition.db, reason });
  partition.done = true;
  if (partition.parts.length === 0)
    checkpoint.partitions = checkpoint.partitions.filter((other) => other !== partition);
}

/**
 * Records the number of keys of each partition (DBSIZE) at the end of reading, for the coverage; null where it could
 * not be read.
 */
export async function countKeysAtEnd(session: RedisSession, checkpoint: ScanCheckpoint): Promise<void> {
  for (const [nodeIndex, node] of checkpoint.nodes.entries()) {
    if (!session.nodes.some((known) => known.address === node.address)) continue;
    const keyspace = await readKeyspace(session, node.address).catch(() => null);
    for (const partition of checkpoint.partitions) {
      if (partition.node === nodeIndex)
        partition.keysAtEnd = keyspace === null ? null : getKeyCount(keyspace, partition.db);
    }
  }
}
