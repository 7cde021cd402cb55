import type { VerbScope } from '@/lib/access/auth/verb';
import { may } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { ScheduleTargets } from '@/lib/model/schedules/schedule';
import { listGrantTargets } from '@/lib/store/instances';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import type { Tx } from '@/lib/store/open-store';
import { getScheduleRow, type ScheduleRow } from '@/lib/store/schedules/schedules';
import { isTarget } from './targets';

/** The scope of a schedule for its first check: one of its instances, or everything while it has none. */
export async function scopeToTargets({ targets }: { targets: ScheduleTargets }): Promise<VerbScope> {
  const first = (await listGrantTargets()).find((instance) => isTarget(targets, instance));
  return first ? { instanceId: first.id } : 'everywhere';
}

export async function scopeToSchedule(id: string): Promise<VerbScope | null> {
  const row = await getScheduleRow(id);
  return row && scopeToTargets(row.input);
}

/**
 * Throws if the actor may not scan what the targets name: each instance, or all with a tag or of an environment, also
 * those that get it later. `stored`: they are those of a stored schedule, of which instances may have been removed.
 * Errors: `not_found`, `forbidden`.
 */
export async function assertMayScan(actor: Actor, targets: ScheduleTargets, stored = false): Promise<void> {
  if (targets.by === 'instances') {
    for (const id of targets.ids) {
      const row = await getProtectedInstance(id);
      if (row === null && stored) continue;
      const instance = row && { id, ...row.settings };
      if (instance === null || !may(actor, 'instance.read', instance))
        throw new AppError('not_found', 'There is no such instance, or you may not see it.', { id });
      if (!may(actor, 'scan.run', instance)) throw refuseScan(instance.name);
    }
    return;
  }
  const kinds =
    targets.by === 'tags'
      ? targets.tags.map((tag) => ({ id: '', tags: [tag], environment: '' }))
      : [{ id: '', tags: [], environment: targets.environment }];
  const refused = kinds.find((kind) => !may(actor, 'scan.run', kind));
  if (refused) throw refuseScan(refused.environment || refused.tags.join());
}

const refuseScan = (what: string) =>
  new AppError('forbidden', `You may not scan ${what}. An administrator can grant it.`, { needs: 'operator' });

export async function requireSchedule(id: string, tx?: Tx): Promise<ScheduleRow> {
  const row = await getScheduleRow(id, tx);
  if (row === null) throw new AppError('not_found', 'There is no such schedule. It may have been removed.', { id });
  return row;
}
