/** The address map as people type it. It imports no schemas, because the form of an instance loads it at once. */

import type { Endpoint } from './endpoint';

/** An entry of the address map (`MappedAddress`). */
interface Entry {
  announced: Endpoint;
  use: Endpoint;
}

export const formatEndpoint = ({ host, port }: Endpoint) => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** One entry as people write it: `10.0.0.5:6379 = 127.0.0.1:7001`. */
export const formatMappedAddress = ({ announced, use }: Entry): string =>
  `${formatEndpoint(announced)} = ${formatEndpoint(use)}`;

/**
 * Parses entries that are separated by line breaks, commas or semicolons. A part that is not an address gets an empty
 * host and the port NaN, which `AddressMap` (address-map.ts) refuses.
 */
export function parseAddressMap(text: string): Entry[] {
  const entries = text.split(/[\n,;，；]+/).filter((entry) => entry.trim() !== '');
  return entries.map((entry) => {
    const [announced = '', use = '', ...more] = entry.split(/=|→|->/);
    const isPair = more.length === 0;
    return { announced: parseEndpoint(isPair ? announced : ''), use: parseEndpoint(isPair ? use : '') };
  });
}

function parseEndpoint(text: string): Endpoint {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text.trim()) ?? [];
  return { host: bracketed ?? plain ?? '', port: port === undefined ? Number.NaN : Number(port) };
}
