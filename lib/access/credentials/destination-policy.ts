import { isIP } from 'node:net';
import { AppError } from '@/lib/model/errors';
import type { Endpoint } from '@/lib/model/servers/instance';
import { formatAddress } from '@/lib/redis/connection/address';
import { createEntryMatcher, toDestinationEntry } from '@/lib/redis/connection/destinations/destination-entries';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import { resolveNodeAddresses } from '@/lib/redis/connection/destinations/resolve-node-addresses';
import type { DestinationPolicy } from '@/lib/redis/connection/session';
import { createUnconfirmedError } from '@/lib/redis/connection/unconfirmed-error';
import { listRegisteredNodes } from '@/lib/redis/server/read-identity';
import { config } from '@/lib/runtime/config';
import { listDestinations } from '@/lib/store/destinations';
import { getInstanceRow } from '@/lib/store/instances';
import {
  findInstancesAt,
  hasInstanceNode,
  type InstanceNode,
  noteInstanceNodes,
} from '@/lib/store/nodes/instance-nodes';

type Resolve = DestinationPolicy['resolve'];

/**
 * Decides which addresses one instance may connect to: those that it is registered with, and announced ones that an
 * administrator has confirmed for it, within loopback, private ranges and the registered addresses, or within what
 * COLONNADE_ALLOW lists. What is registered or confirmed for another instance counts for that one alone: the password
 * that goes there is another. The store is read at each question, so that what was confirmed or withdrawn a moment ago
 * counts. `typed`: what an administrator has just typed in, for the test before saving.
 */
export function readDestinationPolicy(
  instanceId: string | null,
  typed?: { endpoints?: Endpoint[]; destinations?: string[]; byAdministrator?: boolean },
): DestinationPolicy {
  const buildCurrentPolicy = async () => {
    const row = instanceId === null ? null : await getInstanceRow(instanceId);
    const confirmed = instanceId === null ? [] : await listDestinations(instanceId);
    const registered = [...(row?.settings.endpoints ?? []), ...(typed?.endpoints ?? [])];
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
 * A name may lead elsewhere after it was saved. Where it leads to a node of another instance that does not use the name
 * itself, it is connected to only if the instance had that address when it was saved, or an administrator of all
 * instances has confirmed it. Throws `destination_unconfirmed` if nothing else is left.
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
    const isOwn = isNamed(candidate.ip, port) || (await leadsHome(instanceId, formatAddress(host, port), address));
    if (isOwn) own.push(candidate);
    else foreign.push(address);
  }
  if (own.length === 0) throw createUnconfirmedError(foreign);
  return own;
}

async function leadsHome(instanceId: string, name: string, address: string): Promise<boolean> {
  const [place = address] = (await resolveNodeAddresses(address, async () => [])).slice(-1);
  const others = await findInstancesAt([{ address: place, runId: null }], instanceId);
  if (others.length === 0 || (await hasInstanceNode(instanceId, place))) return true;
  const alike = new Set((await findInstancesAt([{ address: name, runId: null }], instanceId)).map(({ id }) => id));
  return others.every(({ id }) => alike.has(id));
}

/** Two instances that name one server are found by this, under whatever address each of them knows it. */
async function noteNodes(
  instanceId: string,
  nodes: Parameters<NonNullable<DestinationPolicy['noteNodes']>>[0],
  resolve: Resolve,
): Promise<void> {
  const row = await getInstanceRow(instanceId);
  if (row === null) return;
  const named = [...listRegisteredNodes(row.settings), ...nodes];
  const meant = (await Promise.all(named.map((node) => resolveNodes(node, resolve)))).flat();
  await noteInstanceNodes(instanceId, meant).catch((error: unknown) => {
    // Facts are shown all the same; what the marks protect needs a row of the store first, and is refused by itself.
    if (!(error instanceof AppError) || error.code !== 'store_read_only') throw error;
  });
}

/** A run id ends with the process of the server; what a name means does not, so a restart parts no two instances. */
async function resolveNodes<N extends InstanceNode>({ address, masterAddress, ...node }: N, resolve: Resolve) {
  // The last spelling is that of an IP address, if there is one.
  const master = masterAddress ? (await resolveNodeAddresses(masterAddress, resolve)).at(-1) : null;
  const spelled = await resolveNodeAddresses(address, resolve);
  return spelled.map((meant) => ({ ...node, address: meant, masterAddress: master ?? null }));
}

/** An address in a spelling that is refused anyway names nothing. */
function toDestinations({ host, port }: Endpoint): string[] {
  try {
    return [toDestinationEntry(formatAddress(host.replace(/^\[|\]$/g, ''), port))];
  } catch {
    return [];
  }
}
