import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';

/**
 * Returns the indexes of the nodes that were read as replicas. A replica does not see the reads of its master, so the
 * idle times of its keys are upper bounds.
 */
export const listReplicaNodes = ({ nodes }: Pick<SnapshotManifest, 'nodes'>): number[] =>
  nodes?.flatMap(({ role }, node) => (role === 'replica' ? [node] : [])) ?? [];
