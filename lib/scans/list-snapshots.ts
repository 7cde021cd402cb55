import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { LATEST_SNAPSHOT } from '@/lib/model/reports/file-query';
import { findNewestSealed, type SnapshotSummary } from '@/lib/model/reports/fleet';
import { getInstanceRow } from '@/lib/store/instances';
import * as store from '@/lib/store/snapshots';

/** Returns the snapshots of an instance, newest first. A snapshot of a running scan is `live`. Errors: `not_found`. */
export const listSnapshots = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (_actor: Actor, instanceId: string): Promise<SnapshotSummary[]> => {
    if ((await getInstanceRow(instanceId)) === null)
      throw new AppError('not_found', 'There is no such instance.', { id: instanceId });
    return store.listSnapshotRows(instanceId);
  },
);

/**
 * Returns the id of the requested snapshot: the newest sealed one if it is of the whole keyspace, or a sealed one by
 * its id. A snapshot of a part of the keyspace can only be requested by its id, so that a program never takes part of a
 * keyspace for all of it. What a running scan has read so far is served by `/api/snapshots/{id}`. Errors: `not_found`.
 */
export const chooseSnapshotId = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (actor: Actor, instanceId: string, requested: string): Promise<string> => {
    const snapshots = await listSnapshots(actor, instanceId);
    const newest = findNewestSealed(snapshots);
    const latest = newest?.isPart ? null : newest;
    const namedSnapshot = snapshots.find(({ id, state }) => state === 'sealed' && id === requested);
    const found = requested === LATEST_SNAPSHOT ? latest : namedSnapshot;
    if (found) return found.id;
    throw new AppError(
      'not_found',
      requested === LATEST_SNAPSHOT
        ? 'This instance has no snapshot of its whole keyspace yet. Scan it first.'
        : 'This instance has no sealed snapshot with this id. GET /api/instances/{id}/snapshots lists them; latest is the newest.',
      { id: instanceId },
    );
  },
);
