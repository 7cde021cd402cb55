import { seal } from '@/lib/access/vault/seal';
import { listEnteredEndpoints } from '@/lib/model/servers/address-map';
import type { Endpoint } from '@/lib/model/servers/endpoint';
import type { InstanceSettings, Secrets } from '@/lib/model/servers/instance';
import type { SealedSecrets } from '@/lib/store/instances';

export const SECRET_NAMES = [
  'password',
  'sentinelPassword',
  'writePassword',
  'tlsKey',
] as const satisfies (keyof SealedSecrets)[];
export const NO_SECRETS: SealedSecrets = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };

/** undefined keeps the stored secret, null removes it, and a new secret is sealed for this instance and field. */
export function patchSecrets(id: string, stored: SealedSecrets, given: Secrets): SealedSecrets {
  const next = { ...stored };
  for (const field of SECRET_NAMES) {
    const value = given[field];
    if (value === undefined) continue;
    next[field] = value ? seal(value.reveal(), { table: 'instances', id, field }) : null;
  }
  return next;
}

/**
 * True if a stored password would now be sent to a destination that it was not given for: another address, also
 * one that the address map leads to, another master behind Sentinel, or the same address without the encryption and certificate check that protected it.
 */
export function changesDestination(before: InstanceSettings, after: InstanceSettings): boolean {
  const format = ({ host, port }: Endpoint) => `${host.toLowerCase()} ${port}`;
  const known = new Set(listEnteredEndpoints(before).map(format));
  return (
    listEnteredEndpoints(after).some((endpoint) => !known.has(format(endpoint))) ||
    (after.topology !== before.topology && after.topology === 'sentinel') ||
    (after.sentinelName ?? '') !== (before.sentinelName ?? '') ||
    (before.tls.enabled && !after.tls.enabled) ||
    (!before.tls.skipVerify && after.tls.skipVerify) ||
    (after.tls.enabled && (before.tls.ca ?? '') !== (after.tls.ca ?? '')) ||
    (after.tls.enabled && (before.tls.servername ?? '') !== (after.tls.servername ?? ''))
  );
}
