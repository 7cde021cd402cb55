import { recordAudit } from '@/lib/audit/record';
import { log } from '@/lib/log';
import { ENGINE } from '@/lib/model/actor';
import { type ServerIdentity, samePlace } from '@/lib/model/servers/server-identity';
import { registeredAs } from '@/lib/redis/server/read-identity';
import { findStrandedDeletions, holdClock, moveDeletions } from '@/lib/store/deletions/deletion-holds';
import { getInstanceRow } from '@/lib/store/instances';
import { transaction } from '@/lib/store/open-store';
import { judgeServerIdentity, repeatsIds } from './judge-server-identity';

/**
 * A server that is registered again gets back what an earlier registration has tombstoned or copied there. Its ids are
 * only its word, its address is what whoever administers the instance says, and the names of tombstones can be written
 * by whoever may write keys there: so only the search of an administrator of all instances claims.
 */
export async function claimDeletions(
  instanceId: string,
  is: ServerIdentity,
  found: {
    /** Deletions whose tombstones were found there. */
    tombstonesOf: ReadonlySet<string>;
    /** An administrator of all instances searches. */
    byAdministrator: boolean;
  },
): Promise<void> {
  if (!found.byAdministrator) return;
  await transaction(async (tx) => {
    const instance = await getInstanceRow(instanceId, tx);
    if (!instance) return;
    const stranded = await findStrandedDeletions(await holdClock(tx), tx);
    const own = stranded.filter(
      ({ plan, server }) =>
        found.tombstonesOf.has(plan.id) ||
        (server !== null && (repeatsIds(server, is) || judgeServerIdentity(server, is) === 'same')),
    );
    const ids = own.map(({ plan }) => plan.id);
    if (ids.length === 0) return;
    const place = registeredAs(instance.settings);
    for (const { plan, server } of own) {
      const elsewhere = server === null || !samePlace(server, place);
      await moveDeletions([plan.id], { id: instanceId, name: instance.settings.name, elsewhere }, tx);
    }
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
