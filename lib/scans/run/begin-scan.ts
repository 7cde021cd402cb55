import { AppError } from '@/lib/model/errors';
import { NO_COST } from '@/lib/model/job';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';
import type { PartitionCheckpoint, ScanOptions } from '@/lib/model/snapshots/scan';
import { type Coverage, SNAPSHOT_SCHEMA_VERSION, type SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { append } from '@/lib/model/text/append';
import type { RedisSession } from '@/lib/redis/connection/session';
import { createUnconfirmedError } from '@/lib/redis/connection/unconfirmed-error';
import { readKeyspace } from '@/lib/redis/server/keyspace';
import { readOpenSlots } from '@/lib/redis/server/open-slots';
import type { NodeKeyspace } from '@/lib/redis/server/probe-databases';
import { type ChosenNode, chooseNodes, listUnconfirmed } from './choose-nodes';
import { findPartialReasons } from './partial-reasons';
import type { ScanCheckpoint } from './scan-checkpoint';

/**
 * Returns a checkpoint with an empty plan. `addNode` fills it: now for every shard, later for nodes that appear while
 * the scan runs.
 */
export function createCheckpoint(snapshotId: string, options: ScanOptions): ScanCheckpoint {
  return {
    snapshotId,
    options,
    startedAt: Date.now(),
    nodes: [],
    partitions: [],
    skipped: [],
    commandsDenied: [],
    oversizeReplies: 0,
    lengthNotAsked: 0,
    restarts: 0,
    nextSequence: 0,
    readingDone: false,
    cost: { ...NO_COST, serverMs: null, worstLatencyMs: null },
  };
}

/**
 * Resets a checkpoint after the instance got another server while the scan waited (update-scan-plan.ts), because
 * nothing that was read is from that server. Part numbers continue, so that no file name is used twice; the cost of the
 * scan so far stays.
 */
export function resetCheckpoint(checkpoint: ScanCheckpoint): void {
  const { snapshotId, options, nextSequence, restarts, cost } = checkpoint;
  const none = { partialReasons: undefined, openSlots: undefined, readingEndedAt: undefined, takenUnder: undefined };
  Object.assign(checkpoint, none, createCheckpoint(snapshotId, options), {
    nextSequence,
    restarts: restarts + 1,
    cost,
  });
}

/**
 * Plans the whole scan: one partition per chosen node and database. `wantsAllConfirmed`: if true, an unconfirmed
 * address fails the scan instead of being excluded. Errors: `destination_unconfirmed`, `unsupported` (no healthy
 * replica), `redis_unreachable`.
 */
export async function planScan(
  session: RedisSession,
  checkpoint: ScanCheckpoint,
  wantsAllConfirmed = false,
): Promise<void> {
  const { target } = checkpoint.options;
  const { chosen, missing } = chooseNodes(session.nodes, target, new Set(), listUnconfirmed(session));
  const unconfirmed = missing.flatMap(({ address, reason }) => (reason === 'not_confirmed' ? [address] : []));
  if (unconfirmed.length > 0 && (wantsAllConfirmed || chosen.length === 0)) throw createUnconfirmedError(unconfirmed);
  if (chosen.length === 0) {
    if (target === 'replica')
      throw new AppError('unsupported', 'No healthy replica was found. Choose "auto" or "primary" as target.', {
        reason: 'no_healthy_replica',
      });
    throw new AppError('redis_unreachable', 'No node of this instance could be reached.', {
      host: session.nodes[0]?.address ?? '',
    });
  }
  checkpoint.skipped = missing.map((m) => ({ ...m, db: null }));
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
  const index = checkpoint.nodes.push({ address, runId, role, slots: chosen.slots }) - 1;
  const keyspace = await readKeyspace(session, address);
  const wanted = checkpoint.options.databases ?? session.target.databases;
  // An empty node gets a partition for database 0, so that it is known to have been read.
  const databases = wanted ?? (keyspace.databases.length > 0 ? keyspace.databases.map((d) => d.db) : [0]);
  if (wanted === null && !keyspace.whole) {
    checkpoint.partialReasons ??= [];
    checkpoint.partialReasons.push({ code: 'databases_unknown', address, db: null, params: {} });
  }
  const partitions = databases.map((db) => ({
    node: index,
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
  const found = databases.find((database) => database.db === db);
  if (found !== undefined) return found.keys;
  return whole ? 0 : null;
}

/** Records the slots that are migrating now. A key that moves while both nodes are read may be seen by neither. */
export async function noteOpenSlots(session: RedisSession, checkpoint: ScanCheckpoint): Promise<void> {
  const now = Object.fromEntries(await readOpenSlots(session));
  // An earlier entry wins: the owner when the slot was first seen migrating.
  checkpoint.openSlots = { ...now, ...checkpoint.openSlots };
}

/** Returns the manifest of a scan that begins reading. */
export function createManifest(
  checkpoint: ScanCheckpoint,
  instance: { id: string | null; name: string; jobId: string | null },
  facts: ConnectionReport,
): SnapshotManifest {
  const coverage = computeCoverage(checkpoint);
  return {
    schemaVersion: SNAPSHOT_SCHEMA_VERSION,
    id: checkpoint.snapshotId,
    instanceId: instance.id,
    instanceName: instance.name,
    jobId: instance.jobId,
    state: 'live',
    options: checkpoint.options,
    nodes: checkpoint.nodes,
    flavor: facts.flavor,
    version: facts.version,
    maxmemoryPolicy: facts.maxmemoryPolicy,
    lazyfreeLazyExpire: facts.lazyfreeLazyExpire,
    usedMemoryBytes: sumOrNull(facts.nodes.filter((n) => n.role !== 'replica').map((n) => n.usedMemoryBytes)),
    startedAt: checkpoint.startedAt,
    endedAt: null,
    readingEndedAt: null,
    keys: coverage.keysRead,
    fileBytes: null,
    files: [],
    checksums: {},
    coverage,
    cost: NO_COST,
  };
}

/**
 * Returns the coverage of a scan, running or ended. Facts that only sealing can count are filled in by `finishScan`.
 */
export function computeCoverage(checkpoint: ScanCheckpoint, sealedKeys: number | null = null): Coverage {
  const { partitions } = checkpoint;
  const reasons = findPartialReasons(checkpoint, sealedKeys);
  const roles = new Set(partitions.map((p) => checkpoint.nodes[p.node]?.role));
  return {
    keysRead: partitions.reduce((sum, p) => sum + p.keys, 0),
    keysAtStart: sumOrNull(partitions.map((p) => p.keysAtStart)),
    keysAtEnd: sumOrNull(partitions.map((p) => p.keysAtEnd)),
    vanished: partitions.reduce((sum, p) => sum + p.vanished, 0),
    duplicatesRemoved: null,
    unknownFacts: { type: 0, ttl: 0, bytes: 0, length: 0, encoding: 0, idle: 0 },
    lengthNotAsked: checkpoint.lengthNotAsked,
    oversizeReplies: checkpoint.oversizeReplies,
    restarts: checkpoint.restarts,
    skipped: checkpoint.skipped,
    commandsDenied: checkpoint.commandsDenied,
    idleFrom: checkpoint.options.facts === 'basic' ? 'none' : nameRoles(roles),
    partial: checkpoint.skipped.length > 0 || !checkpoint.readingDone || reasons.length > 0,
    partialReasons: reasons,
  };
}

/** Returns whose idle times the snapshot has: reads on a master do not reach the idle times of its replicas. */
function nameRoles(roles: ReadonlySet<string | undefined>): 'mixed' | 'replica' | 'master' {
  if (roles.size > 1) return 'mixed';
  return roles.has('replica') ? 'replica' : 'master';
}

/** Returns null if one value is unknown or there is none. */
function sumOrNull(values: (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return values.length === 0 ? null : sum;
}
