import { createVisibilityFilter } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { ConnectionReport, Warning } from '@/lib/model/servers/server-facts';
import { findInstancesAt, type InstanceNode } from '@/lib/store/nodes/instance-nodes';

/** Adds a warning if other instances have one of these servers. */
export async function warnOfSharing(
  actor: Actor,
  report: ConnectionReport,
  instanceId: string | null,
): Promise<ConnectionReport> {
  const warnings = await findSharing(actor, report.nodes, instanceId);
  return { ...report, warnings: [...warnings, ...report.warnings] };
}

/**
 * Returns a warning if other instances have one of these nodes. `instances` = names of those that this person may see,
 * separated by commas; empty if there are none of them.
 */
export async function findSharing(
  actor: Actor,
  nodes: readonly InstanceNode[],
  instanceId: string | null,
): Promise<Warning[]> {
  const others = await findInstancesAt(nodes, instanceId);
  if (others.length === 0) return [];
  const maySee = await createVisibilityFilter(
    actor,
    others.map(({ id }) => id),
  );
  const seen = others.filter(({ id }) => maySee(id)).map(({ settings }) => settings.name);
  return [{ code: 'shared_server', severity: 'warning', params: { instances: seen.toSorted().join(', ') } }];
}
