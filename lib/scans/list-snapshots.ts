import { verb } from '@/lib/auth/verb';
import { ofInstance } from '@/lib/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { getInstanceRow } from '@/lib/store/instances';
import * as store from '@/lib/store/snapshots';

/** Snapshots of an instance, newest first. A snapshot of a running scan is `live`. Errors: `not_found`. */
export const listSnapshots = verb(
  { needs: 'instance.read', on: ofInstance },
  async (_actor: Actor, instanceId: string): Promise<SnapshotSummary[]> => {
    if ((await getInstanceRow(instanceId)) === null)
      throw new AppError('not_found', 'There is no such instance.', { id: instanceId });
    return store.listSnapshotRows(instanceId);
  },
);
