import { isIPv6 } from 'node:net';

/** Node addresses as text: `host:port`, an IPv6 host in brackets. The form used in NodeFacts and everywhere after. */
export function formatAddress(host: string, port: number): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** null when the text is not an address. Which hosts are acceptable is the destination policy's business. */
export function parseAddress(address: string): { host: string; port: number } | null {
  const found = /^(?:\[([^\]]*)\]|(.*)):(\d{1,5})$/s.exec(address);
  if (!found) return null;
  const host = found[1] ?? found[2] ?? '';
  const port = Number(found[3]);
  return host === '' || port < 1 || port > 65_535 ? null : { host, port };
}
