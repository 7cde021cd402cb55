import { AppError } from '@/lib/model/errors';
import type { PartitionCheckpoint } from '@/lib/model/snapshots/scan';
import { append } from '@/lib/model/text/append';
import type { RedisSession } from '@/lib/redis/connection/session';
import { createUnconfirmedError } from '@/lib/redis/connection/unconfirmed-error';
import { readKeyspace } from '@/lib/redis/server/keyspace';
import { readOpenSlots } from '@/lib/redis/server/open-slots';
import type { NodeKeyspace } from '@/lib/redis/server/probe-databases';
import { type ChosenNode, chooseNodes, listExcluded } from './choose-nodes';
import type { ScanCheckpoint } from './scan-checkpoint';

/**
 * Plans the whole scan: one partition per chosen node and database. `requiresAllConfirmed`: if true, an unconfirmed
 * address fails the scan instead of being excluded. Errors: `destination_unconfirmed`, `unsupported` (no healthy
 * replica), `redis_unreachable`.
 */
export async function planScan(
  session: RedisSession,
  checkpoint: ScanCheckpoint,
  { requiresAllConfirmed = false }: { requiresAllConfirmed?: boolean | undefined } = {},
): Promise<void> {
  const { target } = checkpoint.options;
  const { chosen, notRead } = chooseNodes(session.nodes, target, new Set(), listExcluded(session));
  const unconfirmed = notRead.flatMap(({ address, reason }) => (reason === 'not_confirmed' ? [address] : []));
  if (unconfirmed.length > 0 && (requiresAllConfirmed || chosen.length === 0))
    throw createUnconfirmedError(unconfirmed);
  if (chosen.length === 0) {
    if (target === 'replica')
      throw new AppError('unsupported', 'No healthy replica was found. Choose "auto" or "primary" as target.', {
        reason: 'no_healthy_replica',
      });
    throw new AppError('redis_unreachable', 'No node of this instance could be reached.', {
      host: session.nodes[0]?.address ?? '',
    });
  }
  checkpoint.skipped = notRead.map((node) => ({ ...node, db: null }));
  for (const node of chosen) await addNode(session, checkpoint, node);
  await noteOpenSlots(session, checkpoint);
}

/** Adds a node and one partition per requested database; returns these partitions. */
export async function addNode(
  session: RedisSession,
  checkpoint: ScanCheckpoint,
  chosen: ChosenNode,
): Promise<PartitionCheckpoint[]> {
  const { address, runId, role } = chosen.node;
  const nodeIndex = checkpoint.nodes.push({ address, runId, role, slots: chosen.slots }) - 1;
  const keyspace = await readKeyspace(session, address);
  const requestedDatabases = checkpoint.options.databases ?? session.target.databases;
  // An empty node gets a partition for database 0, so that it is known to have been read.
  const databases =
    requestedDatabases ?? (keyspace.databases.length > 0 ? keyspace.databases.map((database) => database.db) : [0]);
  if (requestedDatabases === null && !keyspace.whole) {
    checkpoint.partialReasons ??= [];
    checkpoint.partialReasons.push({ code: 'databases_unknown', address, db: null, params: {} });
  }
  const partitions = databases.map((db) => ({
    node: nodeIndex,
    db,
    runId: null,
    cursor: '0',
    done: false,
    parts: [],
    keys: 0,
    vanished: 0,
    restarts: 0,
    keysAtStart: getKeyCount(keyspace, db),
    keysAtEnd: null,
  }));
  append(checkpoint.partitions, partitions);
  return partitions;
}

/**
 * Returns the number of keys of a database; null: not known. A database that is missing from a complete list is empty.
 */
export function getKeyCount({ databases, whole }: NodeKeyspace, db: number): number | null {
  const known = databases.find((database) => database.db === db);
  if (known !== undefined) return known.keys;
  return whole ? 0 : null;
}

/** Records the slots that are migrating now. A key that moves while both nodes are read may be seen by neither. */
export async function noteOpenSlots(session: RedisSession, checkpoint: ScanCheckpoint): Promise<void> {
  const openSlots = Object.fromEntries(await readOpenSlots(session));
  // An earlier entry wins: the owner when the slot was first seen migrating.
  checkpoint.openSlots = { ...openSlots, ...checkpoint.openSlots };
}
