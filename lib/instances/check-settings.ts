import { AppError } from '@/lib/model/errors';
import { findTwice } from '@/lib/model/servers/address-map';
import type { InstanceSettings } from '@/lib/model/servers/instance';
import { listInstanceRows } from '@/lib/store/instances';
import type { Tx } from '@/lib/store/open-store';

/** Checks that need several fields or other instances. Errors: `conflict` (name taken) and those of `checkShape`. */
export async function checkSettings(id: string, settings: InstanceSettings, tx: Tx): Promise<void> {
  checkShape(settings);
  const name = settings.name.toLowerCase();
  const other = (await listInstanceRows(tx)).find((row) => row.id !== id && row.settings.name.toLowerCase() === name);
  if (other)
    throw new AppError('conflict', `There is already an instance named "${settings.name}".`, {
      field: 'name',
      name: settings.name,
    });
}

/** `needsName`: whether Sentinel needs the name of its master; a test without one lists the names. */
export function checkShape(settings: InstanceSettings, needsName = true): void {
  const refuse = (field: string, message: string) => new AppError('bad_request', message, { field });
  if (settings.topology === 'standalone' && settings.endpoints.length > 1)
    throw refuse('endpoints', 'A standalone instance has one address.');
  if (needsName && settings.topology === 'sentinel' && !settings.sentinelName)
    throw refuse('sentinelName', 'Sentinel needs the name of the master it watches.');
  const twice = findTwice(settings.addressMap);
  if (twice !== undefined) throw refuse('addressMap', `The address map has ${twice} twice on one side.`);
  if (settings.tls.cert && !settings.tls.enabled) throw refuse('tls.cert', 'A client certificate requires TLS.');
}
