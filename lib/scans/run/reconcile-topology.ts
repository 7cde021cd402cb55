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
 * Returns the parts to delete, the addresses of nodes that start again, and nodes that are new. It changes only the
 * checkpoint. `unreachable`: addresses of nodes whose work is kept although they are not in `chosen`.
 */
export function reconcileTopology(
  checkpoint: ScanCheckpoint,
  chosen: ChosenNode[],
  unreachable: readonly string[] = [],
): { dropParts: string[]; restarted: string[]; added: ChosenNode[] } {
  const dropParts: string[] = [];
  const restarted: string[] = [];
  const added: ChosenNode[] = [];
  const alive = new Set<number>();

  for (const now of chosen) {
    const { address, runId, role } = now.node;
    const index = findLast(checkpoint, address);
    const before = index === -1 ? undefined : checkpoint.nodes[index];
    if (before === undefined || !checkpoint.partitions.some((p) => p.node === index)) {
      added.push(now);
      continue;
    }
    alive.add(index);
    const isOtherProcess = before.runId !== null && runId !== null && before.runId !== runId;
    const gained = !coversSlotRanges(before.slots, now.slots);
    const invalid = checkpoint.partitions.filter(
      (p) => p.node === index && (isOtherProcess || gained || (!p.done && p.runId === null && hasBegun(p))),
    );
    if (invalid.some(hasBegun)) restarted.push(address);
    for (const partition of invalid) append(dropParts, restart(partition));
    checkpoint.nodes[index] = { address, runId, role, slots: now.slots };
  }

  for (const address of unreachable) alive.add(findLast(checkpoint, address));

  // Drop unfinished partitions of nodes that are no longer read: their slots belong to a node that was added or gained
  // them.
  checkpoint.partitions = checkpoint.partitions.filter((partition) => {
    if (alive.has(partition.node) || partition.done) return true;
    append(dropParts, partition.parts);
    return false;
  });
  return { dropParts, restarted, added };
}

/** Makes a partition start again. Returns the parts it had, which are to be deleted. */
function restart(partition: PartitionCheckpoint): string[] {
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

const hasBegun = (p: PartitionCheckpoint) => p.done || p.cursor !== '0' || p.parts.length > 0;

/** Returns the index of the node that has this address now; -1: there is none. An earlier node may have had it too. */
const findLast = ({ nodes }: ScanCheckpoint, address: string): number =>
  nodes.findLastIndex((node) => node.address === address);
