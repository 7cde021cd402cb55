import { lookup } from 'node:dns/promises';
import { roleAllows } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { resolveNodeAddresses } from '@/lib/redis/connection/destinations/resolve-node-addresses';
import { withTimeout } from '@/lib/redis/connection/with-timeout';
import { findForeignNodes } from '@/lib/store/nodes/instance-nodes';
import type { Tx } from '@/lib/store/open-store';

const RESOLVE_TIMEOUT_MS = 5000;

/**
 * Every spelling under which a node at these addresses may be known; [] if the person administers all instances and may
 * name any node. It resolves host names, so call it before the transaction that refuses addresses.
 */
export const spellAddresses = async (actor: Actor, addresses: readonly string[]): Promise<string[]> =>
  roleAllows(actor.role, 'instance.manage') ? [] : resolveAddresses(addresses);

/** Every spelling of these addresses, as nodes are stored and compared. */
export async function resolveAddresses(addresses: readonly string[]): Promise<string[]> {
  const resolve = async (host: string) =>
    (
      await withTimeout(
        lookup(host, { all: true }),
        RESOLVE_TIMEOUT_MS,
        () => new Error('The name was not resolved in time.'),
      )
    ).map(({ address }) => ({ ip: address }));
  return (await Promise.all(addresses.map((address) => resolveNodeAddresses(address, resolve)))).flat();
}

/**
 * Throws `node_of_other_instance` if a person who administers only some instances names a node that belongs to another
 * instance, or a range of addresses, which may contain some. An administrator of all instances may do so; the keys of
 * that node are then protected by the marks of both instances (`getProtectedInstance`). `addresses` come from
 * `spellAddresses`.
 */
export async function refuseForeignNodes(
  actor: Actor,
  instanceId: string,
  addresses: readonly string[],
  tx: Tx,
): Promise<void> {
  if (roleAllows(actor.role, 'instance.manage')) return;
  const foreign =
    addresses.find((address) => address.includes('/')) ?? (await findForeignNodes(instanceId, addresses, tx))[0];
  if (foreign === undefined) return;
  const why = foreign.includes('/') ? 'may hold nodes of other instances' : 'belongs to another instance';
  throw new AppError(
    'node_of_other_instance',
    `${foreign} ${why}. Ask an administrator of all instances to make this change.`,
    { address: foreign },
  );
}
