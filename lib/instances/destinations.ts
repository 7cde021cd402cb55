import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { Destination, DestinationChange } from '@/lib/model/servers/destination';
import { toDestinationEntry } from '@/lib/redis/connection/destinations/destination-entries';
import { deleteDestinations, insertDestinations, listDestinations } from '@/lib/store/nodes/destinations';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { requireInstanceRow } from './get-instance';
import { refuseForeignNodes, spellAddresses } from './refuse-foreign-nodes';

/** The announced addresses that may be connected to, in addition to those the instance is registered with. */
export const getDestinations = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (_actor: Actor, instanceId: string): Promise<Destination[]> => {
    await requireInstanceRow(instanceId);
    return listDestinations(instanceId);
  },
);

/**
 * Confirms or withdraws announced addresses of an instance. The instance's password is sent to confirmed addresses
 * only. The change applies from the next connection, also for running jobs. Addresses that were already confirmed stay
 * unchanged.
 */
export const changeDestinations = verb(
  { needs: 'instance.manage', on: scopeToInstance, action: 'instance.destinations', fresh: true },
  async (actor: Actor, instanceId: string, change: DestinationChange): Promise<Destination[]> => {
    // Trimmed only: a stored entry may have a form that would be refused today, and must still be removable.
    const withdraw = change.withdraw.map((entry) => entry.trim());
    const spelled = await spellAddresses(actor, change.confirm);
    return runTransaction(async (tx) => {
      await requireInstanceRow(instanceId, tx);
      await refuseForeignNodes(actor, instanceId, spelled, tx);
      const withdrawn = await deleteDestinations(instanceId, withdraw, tx);
      const confirmed = await confirmDestinations(actor.name, instanceId, change.confirm, tx);
      if (withdrawn.length + confirmed.length > 0)
        await recordAudit(tx, {
          action: 'instance.destinations',
          subject: instanceId,
          instanceId,
          actor,
          details: { ...(confirmed.length > 0 && { confirmed }), ...(withdrawn.length > 0 && { withdrawn }) },
        });
      return listDestinations(instanceId, tx);
    });
  },
);

/** Returns the newly confirmed addresses, for the audit row of the calling action. */
export function confirmDestinations(by: string, instanceId: string, entries: string[], tx: Tx): Promise<string[]> {
  const at = Date.now();
  const places = [...new Set(entries.map(toDestinationEntry))];
  const added = places.map((address) => ({ address, confirmedBy: by, confirmedAt: at }));
  return insertDestinations(instanceId, added, tx);
}
