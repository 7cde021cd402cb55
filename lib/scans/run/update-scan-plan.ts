import { JobBlocked } from '@/lib/jobs/loop/job-kind';
import type { PartitionCheckpoint } from '@/lib/model/snapshots/scan';
import type { RedisSession } from '@/lib/redis/connection/session';
import { listSlotMasters } from '@/lib/redis/connection/slot-master';
import { readKeyspace } from '@/lib/redis/server/keyspace';
import { addNode, getKeyCount, noteOpenSlots } from './begin-scan';
import { chooseNodes, listUnconfirmed } from './choose-nodes';
import { dropParts } from './drop-parts';
import { reconcileTopology } from './reconcile-topology';
import type { ScanCheckpoint } from './scan-checkpoint';

/** After this many restarts the job is blocked until a person decides, because a shard may keep changing servers. */
const MAX_RESTARTS = 20;

/**
 * Whether the instance now has another server: its settings name another address than when the scan began, and no node
 * that was read is left, under any address. If one node is left, it is the same deployment under another of its
 * addresses.
 */
export function isOtherServer({ target, nodes }: RedisSession, checkpoint: ScanCheckpoint): boolean {
  const now = JSON.stringify([target.topology, target.endpoints, target.sentinelName ?? null]);
  const { place = now } = checkpoint;
  checkpoint.place = now;
  if (place === now || checkpoint.nodes.length === 0) return false;
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
  const begun = new Set(checkpoint.partitions.map((p) => checkpoint.nodes[p.node]?.address ?? ''));
  const { chosen, missing } = chooseNodes(session.nodes, checkpoint.options.target, begun, listUnconfirmed(session));
  const unreachable = missing.filter((m) => m.reason === 'unreachable').map((m) => m.address);
  const kept = missing.flatMap(({ address, reason }) => (reason === 'no_healthy_replica' ? [] : [address]));
  const { dropParts: stale, restarted, added } = reconcileTopology(checkpoint, chosen, kept);
  checkpoint.restarts += restarted.length;
  if (checkpoint.restarts > MAX_RESTARTS)
    throw new JobBlocked({ code: 'topology_changed', params: { restarts: checkpoint.restarts } });
  // Nodes and databases that were skipped because of an error stay skipped.
  const refused = checkpoint.skipped.filter((s) => s.reason.startsWith('redis_'));
  checkpoint.skipped = [...refused, ...missing.map((m) => ({ ...m, db: null }))];
  for (const node of added) await addNode(session, checkpoint, node);
  await dropParts(dir, stale);
  forgetHandedOver(session, checkpoint);
  await noteOpenSlots(session, checkpoint);
  return {
    changed: restarted.length > 0 || added.length > 0 || checkpoint.partitions.some((p) => !p.done),
    unreachable,
  };
}

/**
 * Forgets migrating slots that have a new owner by now. The new owner is read again after the move
 * (reconcile-topology.ts), so no key of the slot is missing.
 */
function forgetHandedOver(session: RedisSession, checkpoint: ScanCheckpoint): void {
  const { openSlots = {} } = checkpoint;
  const owners = listSlotMasters(session.nodes);
  for (const [slot, owner] of Object.entries(openSlots)) {
    const master = owners[Number(slot)];
    if (master !== undefined && master.address !== owner) delete openSlots[slot];
  }
}

/** Excludes a node for the rest of the scan and records it: the snapshot is partial, never smaller without a reason. */
export function skipNode(checkpoint: ScanCheckpoint, node: number, reason: string): void {
  const address = checkpoint.nodes[node]?.address ?? '';
  checkpoint.skipped = [...checkpoint.skipped.filter((s) => s.address !== address), { address, db: null, reason }];
  checkpoint.partitions = checkpoint.partitions.filter((p) => p.node !== node || p.done || p.parts.length > 0);
  for (const partition of checkpoint.partitions) if (partition.node === node) partition.done = true;
}

/** Excludes one database that the user may not read and records it. What was read of it before stays. */
export function skipDatabase(checkpoint: ScanCheckpoint, partition: PartitionCheckpoint, reason: string): void {
  const address = checkpoint.nodes[partition.node]?.address ?? '';
  checkpoint.skipped.push({ address, db: partition.db, reason });
  partition.done = true;
  if (partition.parts.length === 0) checkpoint.partitions = checkpoint.partitions.filter((p) => p !== partition);
}

/**
 * Records the number of keys of each partition (DBSIZE) at the end of reading, for the coverage; null where it could
 * not be read.
 */
export async function countAtEnd(session: RedisSession, checkpoint: ScanCheckpoint): Promise<void> {
  for (const [index, node] of checkpoint.nodes.entries()) {
    if (!session.nodes.some((n) => n.address === node.address)) continue;
    const keyspace = await readKeyspace(session, node.address).catch(() => null);
    for (const p of checkpoint.partitions) {
      if (p.node === index) p.keysAtEnd = keyspace === null ? null : getKeyCount(keyspace, p.db);
    }
  }
}
