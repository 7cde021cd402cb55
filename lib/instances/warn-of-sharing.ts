import { createVisibilityFilter } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { ConnectionReport, Warning } from '@/lib/model/servers/server-facts';
import { findInstancesAt } from '@/lib/store/nodes/instance-nodes';

/**
 * Adds a warning if other instances have one of these servers. `instances` = names of those that this person may see,
 * separated by commas; empty if there are none of them.
 */
export async function warnOfSharing(
  actor: Actor,
  report: ConnectionReport,
  instanceId: string | null,
): Promise<ConnectionReport> {
  const others = await findInstancesAt(report.nodes, instanceId);
  if (others.length === 0) return report;
  const maySee = await createVisibilityFilter(
    actor,
    others.map(({ id }) => id),
  );
  const seen = others.filter(({ id }) => maySee(id)).map(({ settings }) => settings.name);
  const params = { instances: seen.toSorted().join(', ') };
  const warning: Warning = { code: 'shared_server', severity: 'warning', params };
  return { ...report, warnings: [warning, ...report.warnings] };
}
