import { recordAudit } from '@/lib/access/audit/record';
import { ENGINE } from '@/lib/model/actor';
import { isSamePlace, type ServerIdentity } from '@/lib/model/servers/server-identity';
import { toRegistration } from '@/lib/redis/server/read-identity';
import { log } from '@/lib/runtime/log';
import { findStrandedDeletions, holdClock, moveDeletions } from '@/lib/store/deletions/deletion-holds';
import { getInstanceRow } from '@/lib/store/instances';
import { runTransaction } from '@/lib/store/open-store';
import { hasKnownId, judgeServerIdentity } from './judge-server-identity';

/**
 * Assigns to a server that is registered again the deletions whose tombstones or archives come from its earlier
 * registration. Its ids are only what it reports about itself, its address is entered by those who administer the
 * instance, and anyone who may write keys there can write names of tombstones: therefore only the search of an
 * administrator of all instances claims deletions.
 */
export async function claimDeletions(
  instanceId: string,
  is: ServerIdentity,
  found: {
    /** Ids of the deletions whose tombstones were found there. */
    tombstonesOf: ReadonlySet<string>;
    /** Whether an administrator of all instances started the search. */
    byAdministrator: boolean;
  },
): Promise<void> {
  if (!found.byAdministrator) return;
  await runTransaction(async (tx) => {
    const instance = await getInstanceRow(instanceId, tx);
    if (!instance) return;
    const stranded = await findStrandedDeletions(await holdClock(tx), tx);
    const own = stranded.filter(
      ({ plan, server }) =>
        found.tombstonesOf.has(plan.id) ||
        (server !== null && (hasKnownId(server, is) || judgeServerIdentity(server, is) === 'same')),
    );
    const ids = own.map(({ plan }) => plan.id);
    if (ids.length === 0) return;
    const place = toRegistration(instance.settings);
    for (const { plan, server } of own) {
      const elsewhere = server === null || !isSamePlace(server, place);
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
