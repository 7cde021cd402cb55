import { AppError } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { getInstanceRow, type InstanceRow, type SealedSecrets } from '@/lib/store/instances';
import { open } from '@/lib/vault/seal';

/** Settings of a registered instance with its secrets opened. Keep it in memory only, and not longer than needed. */
export async function openTarget(instanceId: string): Promise<ConnectionTarget> {
  const row = await getInstanceRow(instanceId);
  if (!row) throw new AppError('not_found', 'There is no such instance.', { instance: instanceId });
  return openRow(row);
}

export function openRow(row: InstanceRow): ConnectionTarget {
  const opened = (field: keyof SealedSecrets): string | null => {
    const sealed = row.sealed[field];
    return sealed === null ? null : open(sealed, { table: 'instances', id: row.id, field });
  };
  return {
    ...row.settings,
    id: row.id,
    password: opened('password'),
    sentinelPassword: opened('sentinelPassword'),
    tlsKey: opened('tlsKey'),
  };
}
