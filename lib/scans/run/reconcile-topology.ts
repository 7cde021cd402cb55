import { coversSlotRanges } from '@/lib/model/servers/slot-ranges';
import type { PartitionCheckpoint } from '@/lib/model/snapshots/scan';
import { append } from '@/lib/model/text/append';
import type { ChosenNode } from './choose-nodes';
import type { ScanCheckpoint } from './scan-checkpoint';

/**
 * Holds the work done so far against the topology of now, and says what must be read again.
 *
 * - Another run_id (restart, failover) ⇒ that node starts again and its parts are dropped.
 * - A cursor means something only inside the process that gave it. Where nobody knows which one that was (INFO denied,
 *   so no run_id), or another one was found at the other end of the connection, what is not done starts again.
 * - A node that gained slots since it was read holds keys that nobody has read, even if it was done ⇒ again.
 * - A node that only lost slots keeps its rows: the gainer is read again, and sealing removes the duplicates.
 * - A node that is unreachable now keeps its place: it may come back as the same process.
 *
 * Pure: returns the parts to delete and mutates only the checkpoint it was given.
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
    const index = findLast(checkpoint, now.node.address);
    const before = index === -1 ? undefined : checkpoint.nodes[index];
    if (before === undefined || !checkpoint.partitions.some((p) => p.node === index)) {
      added.push(now);
      continue;
    }
    alive.add(index);
    const otherProcess = before.runId !== null && now.node.runId !== null && before.runId !== now.node.runId;
    const gained = !coversSlotRanges(before.slots, now.slots);
    const mine = checkpoint.partitions.filter(
      (p) => p.node === index && (otherProcess || gained || (!p.done && p.runId === null && hasBegun(p))),
    );
    if (mine.some(hasBegun)) restarted.push(now.node.address);
    for (const partition of mine) append(dropParts, restart(partition));
    checkpoint.nodes[index] = {
      address: now.node.address,
      runId: now.node.runId,
      role: now.node.role,
      slots: now.slots,
    };
  }

  for (const address of unreachable) alive.add(findLast(checkpoint, address));

  // Nodes that are no longer read and were not finished: their slots belong to someone in `added` or `gained`.
  checkpoint.partitions = checkpoint.partitions.filter((partition) => {
    if (alive.has(partition.node) || partition.done) return true;
    append(dropParts, partition.parts);
    return false;
  });
  return { dropParts, restarted, added };
}

function restart(partition: PartitionCheckpoint): string[] {
  const dropped = partition.parts;
  const begun = hasBegun(partition);
  Object.assign(partition, {
    runId: null,
    cursor: '0',
    done: false,
    parts: [],
    keys: 0,
    vanished: 0,
    internal: 0,
    expiring: 0,
    restarts: partition.restarts + (begun ? 1 : 0),
  });
  return dropped;
}

const hasBegun = (p: PartitionCheckpoint) => p.done || p.cursor !== '0' || p.parts.length > 0;

function findLast(checkpoint: ScanCheckpoint, address: string): number {
  for (let i = checkpoint.nodes.length - 1; i >= 0; i--) if (checkpoint.nodes[i]?.address === address) return i;
  return -1;
}
