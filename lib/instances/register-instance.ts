import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToAll } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { formatMappedAddress } from '@/lib/model/servers/address-map-text';
import type { Instance, InstanceInput } from '@/lib/model/servers/instance';
import type { Warning } from '@/lib/model/servers/server-facts';
import { isSameRegistration } from '@/lib/model/servers/server-identity';
import { listRegisteredNodes, toRegistration } from '@/lib/redis/server/read-identity';
import {
  findClaimedDeletions,
  findStrandedDeletions,
  holdClock,
  moveDeletions,
} from '@/lib/store/deletions/deletion-holds';
import { generateId } from '@/lib/store/generate-id';
import { type InstanceRow, insertInstanceRow, toInstance } from '@/lib/store/instances';
import { addInstanceNodes } from '@/lib/store/nodes/instance-nodes';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { checkSettings } from './check-settings';
import { confirmDestinations } from './destinations';
import { resolveAddresses } from './refuse-foreign-nodes';
import { NO_SECRETS, patchSecrets } from './secrets-patch';
import { findSharing } from './warn-of-sharing';

/**
 * Stores an instance, with its secrets sealed. It does not connect, so an instance that is down can be registered.
 * Tombstones of an earlier registration of the same addresses belong to the new instance; whether the same server
 * answers there is checked before anything is done with them. `warnings`: other instances name one of its addresses.
 */
export const registerInstance = verb(
  { needs: 'instance.manage', on: scopeToAll, action: 'instance.register', subject: ({ name }: InstanceInput) => name },
  async (actor: Actor, input: InstanceInput): Promise<Instance & { warnings: Warning[] }> => {
    const id = generateId();
    const entry = { action: 'instance.register', subject: id, instanceId: id };
    const { secrets, destinations = [], ...given } = input;
    const { separateWriteUser } = given;
    const settings = { ...given, writeUsername: separateWriteUser ? given.writeUsername : null };
    const now = Date.now();
    const row: InstanceRow = {
      id,
      settings,
      sealed: patchSecrets(id, NO_SECRETS, separateWriteUser ? secrets : { ...secrets, writePassword: null }),
      createdAt: now,
      updatedAt: now,
    };
    const addresses = await resolveAddresses(listRegisteredNodes(settings).map(({ address }) => address));
    await runTransaction(async (tx) => {
      await checkSettings(id, settings, tx);
      const endpoints = settings.endpoints.map(({ host, port }) => `${host}:${port}`);
      await insertInstanceRow(row, tx);
      await addInstanceNodes(id, addresses, tx);
      const deletions = await adoptDeletions(row, tx);
      const confirmed = await confirmDestinations(actor.name, id, destinations, tx);
      await recordAudit(tx, {
        ...entry,
        actor,
        details: {
          name: settings.name,
          topology: settings.topology,
          endpoints,
          ...(settings.addressMap.length > 0 && { addressMap: settings.addressMap.map(formatMappedAddress) }),
          ...(confirmed.length > 0 && { confirmed }),
          ...(deletions.length > 0 && { deletions }),
        },
      });
    });
    const nodes = addresses.map((address) => ({ address, runId: null }));
    return { ...toInstance(row), warnings: await findSharing(actor, nodes, id) };
  },
);

/**
 * Assigns deletions that were made at these addresses to the instance, and returns their ids: those that no instance
 * has, and those that an instance at another address has claimed, because that was proved only by what its server
 * reports.
 */
async function adoptDeletions({ id, settings }: InstanceRow, tx: Tx): Promise<string[]> {
  const place = toRegistration(settings);
  const now = await holdClock(tx);
  const known = [...(await findStrandedDeletions(now, tx)), ...(await findClaimedDeletions(now, tx))];
  const ids = [...new Set(known.filter(({ server }) => isSameRegistration(server, place)).map(({ plan }) => plan.id))];
  await moveDeletions(ids, { id, name: settings.name, elsewhere: false }, tx);
  return ids;
}
