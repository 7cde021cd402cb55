import { z } from 'zod';
import { formatEndpoint } from './address-map-text';
import { Endpoint } from './endpoint';

/** More entries than a cluster can have nodes are a mistake. */
const MAX_ENTRIES = 1000;

/** An address as servers announce it, and the one to connect to instead: NAT, forwarded ports, tunnels. */
export const MappedAddress = z.object({ announced: Endpoint, use: Endpoint });
export type MappedAddress = z.infer<typeof MappedAddress>;

export const AddressMap = z.array(MappedAddress).max(MAX_ENTRIES);
export type AddressMap = z.infer<typeof AddressMap>;

/** Every address that a person has entered for an instance. Its password may be sent to these. */
export const listEnteredEndpoints = (settings: { endpoints: Endpoint[]; addressMap: AddressMap }): Endpoint[] => [
  ...settings.endpoints,
  ...settings.addressMap.map(({ use }) => use),
];

/** The first address that the map has twice, on the left or on the right; undefined = none. */
export function findTwice(map: AddressMap): string | undefined {
  for (const side of ['announced', 'use'] as const) {
    const seen = new Set<string>();
    for (const entry of map) {
      const address = formatEndpoint(entry[side]).toLowerCase();
      if (seen.has(address)) return address;
      seen.add(address);
    }
  }
  return undefined;
}
