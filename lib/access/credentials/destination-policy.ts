import { AppError } from '@/lib/model/errors';
import type { Endpoint } from '@/lib/model/servers/instance';
import { formatAddress } from '@/lib/redis/connection/address';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import { meantAddresses } from '@/lib/redis/connection/destinations/meant-addresses';
import { toNamedPlace } from '@/lib/redis/connection/destinations/named-places';
import type { DestinationPolicy } from '@/lib/redis/connection/session';
import { registeredNodes } from '@/lib/redis/server/read-identity';
import { config } from '@/lib/runtime/config';
import { listDestinations } from '@/lib/store/destinations';
import { getInstanceRow } from '@/lib/store/instances';
import { type InstanceNode, noteInstanceNodes } from '@/lib/store/nodes/instance-nodes';

type ResolveAll = NonNullable<DestinationPolicy['resolveAll']>;

/**
 * What may be connected to for one instance: the addresses that it is registered with, and announced ones that an
 * administrator has confirmed for it, within loopback, private ranges and the registered addresses, or within what
 * COLONNADE_ALLOW lists. What is registered or confirmed for another instance counts for that one alone: the password
 * that goes there is another. Asked of the store at each question, so that what was confirmed or withdrawn a moment ago
 * counts. `typed`: what an administrator has just typed in, for the test before saving.
 */
export function destinationPolicy(
  instanceId: string | null,
  typed?: { endpoints?: Endpoint[]; destinations?: string[] },
): DestinationPolicy {
  const current = async () => {
    const row = instanceId === null ? null : await getInstanceRow(instanceId);
    const confirmed = instanceId === null ? [] : await listDestinations(instanceId);
    const registered = [...(row?.settings.endpoints ?? []), ...(typed?.endpoints ?? [])];
    return createDestinationPolicy({
      allow: config.allowDestinations.join(','),
      registered,
      named: [
        ...registered.flatMap(namedPlace),
        ...confirmed.map(({ address }) => address),
        ...(typed?.destinations ?? []).map(toNamedPlace),
      ],
    });
  };
  return {
    resolve: async (host, port) => (await current()).resolve(host, port),
    async resolveAll(host, port) {
      return (await current()).resolveAll(host, port);
    },
    ...(instanceId !== null &&
      typed === undefined && {
        noteNodes: async (nodes) => noteNodes(instanceId, nodes, (await current()).resolveAll),
      }),
  };
}

/** Two instances that name one server are found by this, under whatever address each of them knows it. */
async function noteNodes(
  instanceId: string,
  nodes: Parameters<NonNullable<DestinationPolicy['noteNodes']>>[0],
  resolveAll: ResolveAll,
): Promise<void> {
  const row = await getInstanceRow(instanceId);
  if (row === null) return;
  const named = [...registeredNodes(row.settings), ...nodes];
  const meant = (await Promise.all(named.map((node) => meantNodes(node, resolveAll)))).flat();
  await noteInstanceNodes(instanceId, meant).catch((error: unknown) => {
    // Facts are shown all the same; what the marks protect needs a row of the store first, and is refused by itself.
    if (!(error instanceof AppError) || error.code !== 'store_read_only') throw error;
  });
}

/** A run id ends with the process of the server; what a name means does not, so a restart parts no two instances. */
const meantNodes = async <N extends InstanceNode>({ address, ...node }: N, resolveAll: ResolveAll) =>
  (await meantAddresses(address, resolveAll)).map((meant) => ({ ...node, address: meant }));

/** An address in a spelling that is refused anyway names nothing. */
function namedPlace({ host, port }: Endpoint): string[] {
  try {
    return [toNamedPlace(formatAddress(host.replace(/^\[|\]$/g, ''), port))];
  } catch {
    return [];
  }
}
