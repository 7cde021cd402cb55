import { NO_COST } from '@/lib/model/job';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';
import { type Coverage, SNAPSHOT_SCHEMA_VERSION, type SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { findPartialReasons } from './partial-reasons';
import type { ScanCheckpoint } from './scan-checkpoint';

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
    usedMemoryBytes: sumOrNull(
      facts.nodes.filter((node) => node.role !== 'replica').map((node) => node.usedMemoryBytes),
    ),
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
  const roles = new Set(partitions.map((partition) => checkpoint.nodes[partition.node]?.role));
  return {
    keysRead: partitions.reduce((sum, partition) => sum + partition.keys, 0),
    keysAtStart: sumOrNull(partitions.map((partition) => partition.keysAtStart)),
    keysAtEnd: sumOrNull(partitions.map((partition) => partition.keysAtEnd)),
    vanished: partitions.reduce((sum, partition) => sum + partition.vanished, 0),
    duplicatesRemoved: null,
    unknownFacts: { type: 0, ttl: 0, bytes: 0, length: 0, encoding: 0, idle: 0 },
    lengthNotAsked: checkpoint.lengthNotAsked,
    oversizeReplies: checkpoint.oversizeReplies,
    restarts: checkpoint.restarts,
    skipped: checkpoint.skipped,
    commandsDenied: checkpoint.commandsDenied,
    idleFrom: checkpoint.options.facts === 'basic' ? 'none' : describeIdleSource(roles),
    partial: checkpoint.skipped.length > 0 || !checkpoint.readingDone || reasons.length > 0,
    partialReasons: reasons,
  };
}

/** Returns whose idle times the snapshot has: reads on a master do not reach the idle times of its replicas. */
function describeIdleSource(roles: ReadonlySet<string | undefined>): 'mixed' | 'replica' | 'master' {
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
