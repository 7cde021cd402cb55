import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';

/**
 * Indexes of the nodes that were read as replicas: they see no read of their master, so their idle times are the most
 * that may be.
 */
export const replicaNodes = ({ nodes }: Pick<SnapshotManifest, 'nodes'>): number[] =>
  nodes?.flatMap(({ role }, node) => (role === 'replica' ? [node] : [])) ?? [];
