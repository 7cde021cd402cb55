import { isIPv6 } from 'node:net';

/**
 * Writes a node address as text: `host:port`, with an IPv6 host in brackets. NodeFacts and everything built on it use
 * this form.
 */
export function formatAddress(host: string, port: number): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Returns null when the text is not an address. The destination policy decides which hosts are acceptable. */
export function parseAddress(address: string): { host: string; port: number } | null {
  const found = /^(?:\[([^\]]*)\]|(.*)):(\d{1,5})$/s.exec(address);
  if (!found) return null;
  const host = found[1] ?? found[2] ?? '';
  const port = Number(found[3]);
  return host === '' || port < 1 || port > 65_535 ? null : { host, port };
}
