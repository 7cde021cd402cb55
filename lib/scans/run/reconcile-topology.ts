import { coversSlotRanges } from '@/lib/model/servers/slot-ranges';
import type { PartitionCheckpoint } from '@/lib/model/snapshots/scan';
import { append } from '@/lib/model/text/append';
import type { ChosenNode } from './choose-nodes';
import type { ScanCheckpoint } from './scan-checkpoint';

/**
 * Compares the work done so far with the current topology, and returns what must be read again.
 *
 * - After another run_id (restart, failover) that node starts again and its parts are deleted.
 * - A cursor is valid only in the process that gave it. If that process is unknown (INFO denied, so no run_id), or
 *   another one answered on the connection, partitions that are not done start again.
 * - A node that gained slots since it was read has keys that were not read, even if it was done, so it starts again.
 * - A node that only lost slots keeps its rows: the node that gained them is read again, and sealing removes
 *   duplicates.
 * - A node that is unreachable now keeps its rows: it may return as the same process.
 *
 * Returns the files of parts to delete, the addresses of nodes that start again, and nodes that are new. It changes
 * only the checkpoint. `unreachable`: addresses of nodes whose work is kept although they are not in `chosen`.
 */
export function reconcileTopology(
  checkpoint: ScanCheckpoint,
  chosen: ChosenNode[],
  unreachable: readonly string[] = [],
): { staleParts: string[]; restartedAddresses: string[]; newNodes: ChosenNode[] } {
  const staleParts: string[] = [];
  const restartedAddresses: string[] = [];
  const newNodes: ChosenNode[] = [];
  const readNodes = new Set<number>();

  for (const current of chosen) {
    const { address, runId, role } = current.node;
    const index = findLatestIndex(checkpoint, address);
    const known = index === -1 ? undefined : checkpoint.nodes[index];
    if (known === undefined || !checkpoint.partitions.some((partition) => partition.node === index)) {
      newNodes.push(current);
      continue;
    }
    readNodes.add(index);
    const isOtherProcess = known.runId !== null && runId !== null && known.runId !== runId;
    const hasGainedSlots = !coversSlotRanges(known.slots, current.slots);
    const invalidPartitions = checkpoint.partitions.filter(
      (partition) =>
        partition.node === index &&
        (isOtherProcess || hasGainedSlots || (!partition.done && partition.runId === null && hasBegun(partition))),
    );
    if (invalidPartitions.some(hasBegun)) restartedAddresses.push(address);
    for (const partition of invalidPartitions) append(staleParts, restartPartition(partition));
    checkpoint.nodes[index] = { address, runId, role, slots: current.slots };
  }

  for (const address of unreachable) readNodes.add(findLatestIndex(checkpoint, address));

  // Drop unfinished partitions of nodes that are no longer read: their slots belong to a node that was added or gained
  // them.
  checkpoint.partitions = checkpoint.partitions.filter((partition) => {
    if (readNodes.has(partition.node) || partition.done) return true;
    append(staleParts, partition.parts);
    return false;
  });
  return { staleParts, restartedAddresses, newNodes };
}

/** Makes a partition start again. Returns the parts it had, which are to be deleted. */
function restartPartition(partition: PartitionCheckpoint): string[] {
  const dropped = partition.parts;
  Object.assign(partition, {
    runId: null,
    cursor: '0',
    done: false,
    parts: [],
    keys: 0,
    vanished: 0,
    internal: 0,
    expiring: 0,
    restarts: partition.restarts + (hasBegun(partition) ? 1 : 0),
  });
  return dropped;
}

const hasBegun = (partition: PartitionCheckpoint) =>
  partition.done || partition.cursor !== '0' || partition.parts.length > 0;

/** Returns the index of the node that has this address now; -1: there is none. An earlier node may have had it too. */
const findLatestIndex = ({ nodes }: ScanCheckpoint, address: string): number =>
  nodes.findLastIndex((node) => node.address === address);
