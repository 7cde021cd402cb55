import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import { PERMISSIONS, roleAllows } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { formatMappedAddress } from '@/lib/model/servers/address-map-text';
import { type Instance, InstanceSettings, type InstanceUpdate } from '@/lib/model/servers/instance';
import { isSameRegistration } from '@/lib/model/servers/server-identity';
import { listEnteredAddresses, listRegisteredNodes, toRegistration } from '@/lib/redis/server/read-identity';
import { type InstanceRow, toInstance, updateInstanceRow } from '@/lib/store/instances';
import { addInstanceNodes } from '@/lib/store/nodes/instance-nodes';
import { runTransaction } from '@/lib/store/open-store';
import { checkSettings } from './check-settings';
import { confirmDestinations } from './destinations';
import { requireInstanceRow } from './get-instance';
import { refuseForeignNodes, resolveAddresses, spellAddresses } from './refuse-foreign-nodes';
import { changesDestination, patchSecrets, SECRET_NAMES } from './secrets-patch';

/**
 * Changes an instance; fields that are not given stay. A new address needs the password again, because the stored one
 * is never sent elsewhere. `updatedAt` is that of the edited version, so that a change by another administrator is not
 * overwritten unseen. Errors: `not_found`, `bad_request`, `conflict` (the name is taken, or the instance was saved
 * since), `node_of_other_instance`.
 */
export const updateInstance = verb(
  { needs: 'instance.manage', on: scopeToInstance, action: 'instance.update', fresh: true },
  async (actor: Actor, id: string, input: InstanceUpdate): Promise<Instance> => {
    const entry = { action: 'instance.update', subject: id, instanceId: id };
    const { secrets: givenSecrets = {}, destinations = [], updatedAt: seenAt, ...given } = input;
    const { settings: known } = await requireInstanceRow(id);
    const moved = InstanceSettings.parse({ ...known, ...given });
    // Host names are resolved before the transaction, because that may take seconds.
    const spelledEndpoints = await spellAddresses(actor, listEnteredAddresses(moved));
    const nodes = await resolveAddresses(listRegisteredNodes(moved).map(({ address }) => address));
    const spelledDestinations = await spellAddresses(actor, destinations);
    return runTransaction(async (tx) => {
      const before = await requireInstanceRow(id, tx);
      if (seenAt !== undefined && before.updatedAt !== seenAt)
        throw new AppError(
          'conflict',
          'Another user has changed this instance meanwhile. Reload the page and make your change again.',
          { field: 'updatedAt' },
        );
      const settings = InstanceSettings.parse({ ...before.settings, ...given });
      // The instance has one user for everything again, so the stored password of the write user is not needed any
      // more.
      const forgets = !settings.separateWriteUser && before.sealed.writePassword !== null;
      const { writePassword, ...others } = givenSecrets;
      const secrets = settings.separateWriteUser
        ? givenSecrets
        : { ...others, ...(forgets && { writePassword: null }) };
      if (!settings.separateWriteUser) settings.writeUsername = null;
      // Names are unique among all instances, so trying a name shows whether it exists, even to people who may not see
      // that instance.
      if (settings.name !== before.settings.name && !roleAllows(actor.role, 'instance.manage'))
        throw new AppError('forbidden', 'Only an administrator of all instances can rename one.', {
          needs: PERMISSIONS['instance.manage'],
          field: 'name',
        });
      await checkSettings(id, settings, tx);
      refuseSilentRedirect(before, settings, secrets);
      const moves = changesPlace(before.settings, settings);
      // Unchanged endpoints are not checked again: the person who entered them was permitted to.
      const named = moves ? [...spelledEndpoints, ...spelledDestinations, ...nodes] : spelledDestinations;
      await refuseForeignNodes(actor, id, named, tx);
      const row: InstanceRow = {
        ...before,
        settings,
        sealed: patchSecrets(id, before.sealed, secrets),
        // Two saves within one tick of the clock get different values.
        updatedAt: Math.max(Date.now(), before.updatedAt + 1),
      };
      const confirmed = await confirmDestinations(actor.name, id, destinations, tx);
      await recordAudit(tx, {
        ...entry,
        actor,
        details: {
          changed: listChangedFields(before.settings, settings, secrets),
          ...(!isDeepStrictEqual(before.settings.addressMap, settings.addressMap) && {
            addressMap: settings.addressMap.map(formatMappedAddress),
          }),
          ...(confirmed.length > 0 && { confirmed }),
        },
      });
      await updateInstanceRow(row, tx);
      if (moves) await addInstanceNodes(id, nodes, tx);
      return toInstance(row);
    });
  },
);

/**
 * Throws `bad_request` with the field to fill in if a stored password would be sent to another destination than it was
 * given for.
 */
export function refuseSilentRedirect(
  before: InstanceRow,
  after: InstanceSettings,
  given: InstanceUpdate['secrets'] = {},
): void {
  if (!changesDestination(before.settings, after)) return;
  const passwords = [
    'password',
    'sentinelPassword',
    ...(after.separateWriteUser ? ['writePassword' as const] : []),
  ] as const;
  for (const field of passwords)
    if (before.sealed[field] !== null && given[field] === undefined)
      throw new AppError('bad_request', 'The address or its encryption has changed. Enter the password again.', {
        field: `secrets.${field}`,
        reason: 'password_again',
      });
}

/** Whether topology, Sentinel name, addresses or address map differ, so that the instance may be other servers. */
export const changesPlace = (before: InstanceSettings, after: InstanceSettings): boolean =>
  !isSameRegistration(toRegistration(before), toRegistration(after)) ||
  !isDeepStrictEqual(before.addressMap, after.addressMap);

const listChangedFields = (before: InstanceSettings, after: InstanceSettings, secrets: object): string[] => [
  ...(Object.keys(after) as (keyof InstanceSettings)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  ),
  ...SECRET_NAMES.filter((name) => name in secrets && (secrets as Record<string, unknown>)[name] !== undefined),
];
