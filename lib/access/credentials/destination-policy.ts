import { isIP } from 'node:net';
import { AppError } from '@/lib/model/errors';
import { type AddressMap, listEnteredEndpoints } from '@/lib/model/servers/address-map';
import type { Endpoint } from '@/lib/model/servers/endpoint';
import { formatAddress } from '@/lib/redis/connection/address';
import { createEntryMatcher, toDestinationEntry } from '@/lib/redis/connection/destinations/destination-entries';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import { resolveNodeAddresses } from '@/lib/redis/connection/destinations/resolve-node-addresses';
import type { DestinationPolicy } from '@/lib/redis/connection/session';
import { createUnconfirmedError } from '@/lib/redis/connection/unconfirmed-error';
import { listRegisteredNodes } from '@/lib/redis/server/read-identity';
import { config } from '@/lib/runtime/config';
import { getInstanceRow } from '@/lib/store/instances';
import { listDestinations } from '@/lib/store/nodes/destinations';
import {
  findInstancesAt,
  hasInstanceNode,
  type InstanceNode,
  noteInstanceNodes,
} from '@/lib/store/nodes/instance-nodes';

type Resolve = DestinationPolicy['resolve'];

/**
 * Decides which addresses one instance may connect to: those that it is registered with, those that its
 * address map leads to, and announced ones that an
 * administrator has confirmed for it, within loopback, private ranges and the registered addresses, or within what
 * COLONNADE_ALLOW lists. An address that is registered or confirmed for another instance does not count, because it
 * would get a password that was not meant for it. The store is read for each address, so that a change applies at once.
 * `typed` = what an administrator has entered, for the test before saving.
 */
export function readDestinationPolicy(
  instanceId: string | null,
  typed?: { endpoints: Endpoint[]; addressMap: AddressMap; destinations?: string[]; byAdministrator?: boolean },
): DestinationPolicy {
  const buildCurrentPolicy = async () => {
    const row = instanceId === null ? null : await getInstanceRow(instanceId);
    const confirmed = instanceId === null ? [] : await listDestinations(instanceId);
    const registered = [row?.settings, typed].flatMap((settings) => (settings ? listEnteredEndpoints(settings) : []));
    const named = [
      ...registered.flatMap(toDestinations),
      ...confirmed.map(({ address }) => address),
      ...(typed?.destinations ?? []).map(toDestinationEntry),
    ];
    return { ...createDestinationPolicy({ allow: config.allowDestinations.join(','), registered, named }), named };
  };
  const resolve: Resolve = async (host, port) => {
    const policy = await buildCurrentPolicy();
    const candidates = await policy.resolve(host, port);
    if (instanceId === null || typed?.byAdministrator || isIP(host.replace(/^\[|\]$/g, ''))) return candidates;
    return dropForeignAddresses(instanceId, { host, port }, candidates, createEntryMatcher(policy.named));
  };
  return {
    resolve,
    ...(instanceId !== null &&
      typed === undefined && { noteNodes: async (nodes) => noteNodes(instanceId, nodes, resolve) }),
  };
}

/**
 * Returns the candidates that the name may lead to. A name may lead to other addresses than when it was saved. An
 * address of a node of another instance, which does not use the name itself, is dropped, unless this instance had it
 * when it was saved, or an administrator of all instances has confirmed it. Throws `destination_unconfirmed` if no
 * candidate is left.
 */
async function dropForeignAddresses<C extends { ip: string }>(
  instanceId: string,
  { host, port }: Endpoint,
  candidates: readonly C[],
  isNamed: (host: string, port: number) => boolean,
): Promise<C[]> {
  const own: C[] = [];
  const foreign: string[] = [];
  for (const candidate of candidates) {
    const address = formatAddress(candidate.ip, port);
    const isOwn = isNamed(candidate.ip, port) || (await mayLeadTo(instanceId, formatAddress(host, port), address));
    if (isOwn) own.push(candidate);
    else foreign.push(address);
  }
  if (own.length === 0) throw createUnconfirmedError(foreign);
  return own;
}

/** Whether no other instance has this address, or this instance has it too, or all others use the same name. */
async function mayLeadTo(instanceId: string, name: string, address: string): Promise<boolean> {
  // The last spelling is the one in which nodes are stored.
  const spelled = (await resolveNodeAddresses(address, async () => [])).at(-1) ?? address;
  const others = await findInstancesAt([{ address: spelled, runId: null }], instanceId);
  if (others.length === 0 || (await hasInstanceNode(instanceId, spelled))) return true;
  const usersOfName = await findInstancesAt([{ address: name, runId: null }], instanceId);
  const ids = new Set(usersOfName.map(({ id }) => id));
  return others.every(({ id }) => ids.has(id));
}

/**
 * Stores the nodes of an instance under all of their addresses, so that two instances with the same server are found,
 * whichever address each of them uses.
 */
async function noteNodes(
  instanceId: string,
  nodes: Parameters<NonNullable<DestinationPolicy['noteNodes']>>[0],
  resolve: Resolve,
): Promise<void> {
  const row = await getInstanceRow(instanceId);
  if (row === null) return;
  const named = [...listRegisteredNodes(row.settings), ...nodes];
  const resolved = (await Promise.all(named.map((node) => resolveNodes(node, resolve)))).flat();
  await noteInstanceNodes(instanceId, resolved).catch((error: unknown) => {
    // Facts can be shown without the stored nodes. Changes of keys need them, but also a writable store.
    if (!(error instanceof AppError) || error.code !== 'store_read_only') throw error;
  });
}

/**
 * Returns the node once for each spelling of its address. Run ids alone would not do, because they change with every
 * start of the server.
 */
async function resolveNodes<N extends InstanceNode>({ address, masterAddress, ...node }: N, resolve: Resolve) {
  // The last spelling is that of an IP address, if there is one.
  const master = masterAddress ? (await resolveNodeAddresses(masterAddress, resolve)).at(-1) : null;
  const spelled = await resolveNodeAddresses(address, resolve);
  return spelled.map((spelling) => ({ ...node, address: spelling, masterAddress: master ?? null }));
}

/** Returns the entry of an address; none if its spelling is not valid, because connecting to it is refused anyway. */
function toDestinations({ host, port }: Endpoint): string[] {
  try {
    return [toDestinationEntry(formatAddress(host.replace(/^\[|\]$/g, ''), port))];
  } catch {
    return [];
  }
}
