import { MappedAddress } from '@/lib/model/servers/address-map';
import { formatMappedAddress } from '@/lib/model/servers/address-map-text';
import type { Endpoint } from '@/lib/model/servers/endpoint';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { formatAddress } from '@/lib/redis/connection/address';
import { buildErrorContext, connectNode } from '@/lib/redis/connection/node-client';
import type { DestinationPolicy } from '@/lib/redis/connection/session';
import { type AnnouncedNode, readClusterNodes, readOwnId } from '@/lib/redis/connection/topology/topology-cluster';

/** Time limit for asking all registered addresses together, in ms. A proposal is optional. */
const LIMIT_MS = 3000;

/**
 * Returns entries for the address map of a cluster whose nodes announce other addresses than those that were entered
 * (`announced = use`): the address of each node that answers at an entered address, and for other nodes the host of
 * such an address with the announced port. The latter is a guess; connecting checks that the node there is the announced
 * one. Only entered addresses are connected to. [] = the announced addresses are the entered ones, or no cluster
 * answers.
 */
export async function proposeAddressMap(target: ConnectionTarget, policy: DestinationPolicy): Promise<string[]> {
  if (target.topology !== 'cluster') return [];
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), LIMIT_MS);
  try {
    const asked = await Promise.all(
      target.endpoints.map((endpoint) => askEndpoint(target, policy, endpoint, end.signal)),
    );
    return propose(
      target,
      asked.flatMap((one) => one ?? []),
    ).map(formatMappedAddress);
  } finally {
    clearTimeout(timer);
  }
}

interface AskedEndpoint {
  endpoint: Endpoint;
  /** How the node that answers there is announced; undefined = it announces the entered address, or nothing. */
  forwarded: AnnouncedNode | undefined;
  /** The host of `endpoint`, and its IP addresses. */
  hosts: string[];
  nodes: AnnouncedNode[];
}

async function askEndpoint(
  target: ConnectionTarget,
  policy: DestinationPolicy,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<AskedEndpoint | null> {
  const where = buildErrorContext(target, endpoint.host, endpoint.port);
  try {
    const options = { timeoutMs: LIMIT_MS, clientName: 'colonnade', signal };
    const client = await connectNode(target, policy, where, options);
    try {
      const nodes = await readClusterNodes(client, where);
      const ownId = await readOwnId(client);
      const own = nodes.find(({ id }) => id !== undefined && id === ownId);
      const hosts = [
        endpoint.host.toLowerCase(),
        ...(await policy.resolve(endpoint.host, endpoint.port)).map(({ ip }) => ip),
      ];
      const isEntered = own?.port === endpoint.port && hosts.includes(own.host.toLowerCase());
      return { endpoint, forwarded: isEntered ? undefined : own, hosts, nodes };
    } finally {
      client.disconnect();
    }
  } catch {
    return null;
  }
}

function propose(target: ConnectionTarget, asked: AskedEndpoint[]): MappedAddress[] {
  const toKey = ({ host, port }: Endpoint) => formatAddress(host.toLowerCase(), port);
  const pick = ({ host, port }: Endpoint): Endpoint => ({ host, port });
  // A proposal is written as text, so a host that is not one could add entries of its own.
  const list = () => [...found.values()].filter((entry) => MappedAddress.safeParse(entry).success);
  const isMapped = new Set(target.addressMap.map(({ announced }) => toKey(announced)));
  const isTaken = new Set([...target.addressMap.map(({ use }) => use), ...target.endpoints].map(toKey));
  const found = new Map<string, MappedAddress>();
  for (const { endpoint, forwarded } of asked)
    if (forwarded && !isMapped.has(toKey(forwarded)) && !found.has(toKey(forwarded)))
      found.set(toKey(forwarded), { announced: pick(forwarded), use: endpoint });
  const example = asked.find(({ forwarded }) => forwarded !== undefined);
  if (!example || target.onlyEndpoints) return list();
  for (const node of example.nodes) {
    const use = { host: example.endpoint.host, port: node.port };
    const isKnown = isMapped.has(toKey(node)) || found.has(toKey(node)) || isTaken.has(toKey(node));
    if (isKnown || isTaken.has(toKey(use)) || example.hosts.includes(node.host.toLowerCase())) continue;
    isTaken.add(toKey(use));
    found.set(toKey(node), { announced: pick(node), use });
  }
  return list();
}
