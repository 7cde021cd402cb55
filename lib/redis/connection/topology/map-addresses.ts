import { isIP } from 'node:net';
import type { Redis } from 'ioredis';
import type { AddressMap } from '@/lib/model/servers/address-map';
import type { Endpoint } from '@/lib/model/servers/endpoint';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { formatAddress, parseAddress } from '@/lib/redis/connection/address';
import { createFailure, type ErrorContext } from '@/lib/redis/connection/connection-errors';
import { type AnnouncedNode, readOwnId } from './topology-cluster';

/** Replaces announced addresses by those that a person has entered to be used instead. Others stay as they are. */
export class AddressMapper {
  private readonly uses: ReadonlyMap<string, Endpoint>;

  constructor(map: AddressMap) {
    this.uses = new Map(map.map(({ announced, use }) => [toKey(announced), use]));
  }

  /** `null` stays null, and a text that is no address stays unchanged. */
  mapAddress<A extends string | null>(address: A): A | string {
    const parsed = address === null ? null : parseAddress(address);
    const use = parsed && this.uses.get(toKey(parsed));
    return use ? formatAddress(use.host, use.port) : address;
  }

  /**
   * The nodes with the addresses to use. Throws `wrong_node` if two of them would be reached at one address, because
   * one would then be read twice and the other never. `where` = the server that announced them.
   */
  mapNodes(nodes: AnnouncedNode[], where: ErrorContext): AnnouncedNode[] {
    const mapped = nodes.map((node) => ({
      ...this.mapNode(node),
      masterAddress: this.mapAddress(node.masterAddress),
    }));
    const seen = new Map<string, AnnouncedNode>();
    for (const node of mapped) {
      const address = toKey(node);
      const other = seen.get(address);
      const pair = [other, node].map((one) => one?.mappedFrom ?? address);
      if (other !== undefined && pair[0] !== pair[1])
        throw createFailure(
          'wrong_node',
          { ...where, host: node.host, port: node.port },
          (at) => `Both ${pair.join(' and ')} would be reached at ${at}. Correct the address map.`,
        );
      seen.set(address, node);
    }
    return mapped;
  }

  mapNode(node: AnnouncedNode): AnnouncedNode {
    const use = this.uses.get(toKey(node));
    if (!use) return node;
    // The certificate is issued for the name that the node announces, not for the address that is forwarded to it.
    const hostname = node.hostname ?? (isIP(node.host) === 0 ? node.host : null);
    return { ...node, host: use.host, port: use.port, hostname, mappedFrom: formatAddress(node.host, node.port) };
  }
}

const toKey = ({ host, port }: Endpoint): string =>
  formatAddress(
    host
      .toLowerCase()
      .replace(/^\[|\]$/g, '')
      .replace(/\.$/, ''),
    port,
  );

/** Throws `wrong_node` if the address map leads to another node of the cluster than the announced one. */
export async function requireSameNode(
  client: Redis,
  { id, mappedFrom }: AnnouncedNode,
  where: ErrorContext,
): Promise<void> {
  if (mappedFrom === undefined || id === undefined) return;
  const found = await readOwnId(client);
  if (found === null || found === id) return;
  throw createFailure(
    'wrong_node',
    where,
    (at) => `${at} is entered for ${mappedFrom}, but another node answers there. Correct the address map.`,
  );
}

/** Throws `node_not_used` for a node that is not registered, if only registered nodes of the cluster are to be used. */
export function requireUsed({ topology, onlyEndpoints, endpoints }: ConnectionTarget, where: ErrorContext): void {
  if (topology !== 'cluster' || !onlyEndpoints || endpoints.some((endpoint) => toKey(endpoint) === toKey(where)))
    return;
  throw createFailure(
    'node_not_used',
    where,
    (at) => `${at} is not among the registered addresses, and only those are to be used. Add it, or use all nodes.`,
  );
}
