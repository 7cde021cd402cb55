import { config } from '@/lib/config';

/**
 * Under which names this server may be asked. A page of a stranger whose name was made to point here (DNS rebinding)
 * carries that strange name in Host, and is refused. Ports do not matter: a proxy may change them.
 */
const withoutPort = (host: string): string => host.replace(/:\d{1,5}$/, '');
const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A name, with or without a port, that leads to this machine only. */
export const isLoopbackName = (host: string): boolean => LOOPBACK.has(withoutPort(host.toLowerCase()));

export function hostAllowed(header: string | null): boolean {
  if (header === null) return false;
  const host = withoutPort(header.trim().toLowerCase());
  return host !== '' && allowedHosts().has(host);
}

function allowedHosts(): Set<string> {
  const hosts = new Set(LOOPBACK);
  const listen = bracketed(config.host.toLowerCase());
  // Listening everywhere is not a name.
  if (listen !== '0.0.0.0' && listen !== '[::]') hosts.add(listen);
  for (const host of config.allowedHosts) hosts.add(withoutPort(host));
  if (config.publicOrigin) hosts.add(new URL(config.publicOrigin).hostname);
  return hosts;
}
