import { recordAudit } from '@/lib/audit/record';
import { log } from '@/lib/log';
import { ENGINE } from '@/lib/model/actor';
import type { ServerIdentity } from '@/lib/model/servers/server-identity';
import { findStrandedDeletions, holdClock, moveDeletions } from '@/lib/store/deletions/deletion-holds';
import { getInstanceRow } from '@/lib/store/instances';
import { transaction } from '@/lib/store/open-store';
import { judgeServerIdentity, repeatsIds } from './judge-server-identity';

/**
 * A server that is registered again gets back what an earlier registration has tombstoned or copied there. At the same
 * address its ids tell whose archives those are. Elsewhere these are only its word, and the names of tombstones can be
 * written by whoever may write keys there: by both only the search of an administrator of all instances claims.
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
  await transaction(async (tx) => {
    const instance = await getInstanceRow(instanceId, tx);
    if (!instance) return;
    const stranded = await findStrandedDeletions(await holdClock(tx), tx);
    const own = stranded.filter(
      ({ plan, server }) =>
        (found.byAdministrator && (found.tombstonesOf.has(plan.id) || (server !== null && repeatsIds(server, is)))) ||
        (server !== null && judgeServerIdentity(server, is) === 'same'),
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
