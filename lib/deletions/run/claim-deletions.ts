import { recordAudit } from '@/lib/audit/record';
import { log } from '@/lib/log';
import { ENGINE } from '@/lib/model/actor';
import type { ServerIdentity } from '@/lib/model/servers/server-identity';
import { findStrandedDeletions, holdClock, moveDeletions } from '@/lib/store/deletions/deletion-holds';
import { getInstanceRow } from '@/lib/store/instances';
import { transaction } from '@/lib/store/open-store';
import { judgeServerIdentity } from './judge-server-identity';

/**
 * A server that is registered again gets back what an earlier registration has tombstoned or copied there: its
 * replication ids tell whose archives those are. After a restart its tombstones alone do, which carry the names of
 * their deletions; anybody who may write keys there can write such a name, so by it only the search of an administrator
 * claims.
 */
export async function claimDeletions(
  instanceId: string,
  is: ServerIdentity,
  /** Deletions whose names were found there and are to count. */
  tombstonesOf: ReadonlySet<string>,
): Promise<void> {
  await transaction(async (tx) => {
    const instance = await getInstanceRow(instanceId, tx);
    if (!instance) return;
    const stranded = await findStrandedDeletions(await holdClock(tx), tx);
    const own = stranded.filter(
      ({ plan, server }) =>
        tombstonesOf.has(plan.id) || (server !== null && judgeServerIdentity(server, is) === 'same'),
    );
    const ids = own.map(({ plan }) => plan.id);
    if (ids.length === 0) return;
    await moveDeletions(ids, { id: instanceId, name: instance.settings.name }, tx);
    await recordAudit(tx, {
      action: 'deletion.claim',
      subject: instanceId,
      instanceId,
      actor: ENGINE,
      details: { deletions: ids },
    });
    log().info({ instance: instanceId, deletions: ids }, 'deletion.claimed');
  });
}
