/**
 * The host names of this server. A page of another site whose name was pointed at this server (DNS rebinding) sends
 * that name as Host and is refused. Ports are ignored, because a proxy may change them.
 */

import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';

const stripPort = (host: string): string => host.replace(/:\d{1,5}$/, '');
const addBrackets = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a name, with or without a port, leads to this machine only. */
export const isLoopbackName = (host: string): boolean => LOOPBACK.has(stripPort(host.toLowerCase()));

/** Throws `host_refused` unless the header `Host` names this server. */
export function assertHostAllowed(header: string | null): void {
  const host = stripPort((header ?? '').trim().toLowerCase());
  if (host === '' || !listAllowedHosts().has(host))
    throw new AppError('host_refused', 'This host name is not allowed. Add it to COLONNADE_HOSTS if it is yours.', {
      host: (header ?? '').slice(0, 253),
    });
}

function listAllowedHosts(): Set<string> {
  const hosts = new Set(LOOPBACK);
  const listen = addBrackets(config.host.toLowerCase());
  // The address for listening on all interfaces is not a host name.
  if (listen !== '0.0.0.0' && listen !== '[::]') hosts.add(listen);
  for (const host of config.allowedHosts) hosts.add(stripPort(host));
  if (config.publicOrigin) hosts.add(new URL(config.publicOrigin).hostname);
  return hosts;
}
