import { unseal } from '@/lib/access/vault/seal';
import { AppError } from '@/lib/model/errors';
import { Secret } from '@/lib/model/secret';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { getInstanceRow, type InstanceRow, type SealedSecrets } from '@/lib/store/instances';

/**
 * Settings of a registered instance with its secrets opened. Keep it in memory only, and not longer than needed.
 * `forWriting` = with the password of the user that changes keys, which reading does not need.
 */
export async function openTarget(
  instanceId: string,
  options: { forWriting?: boolean } = {},
): Promise<ConnectionTarget> {
  const row = await getInstanceRow(instanceId);
  if (!row) throw new AppError('not_found', 'There is no such instance.', { instance: instanceId });
  return openRow(row, options);
}

export function openRow(row: InstanceRow, { forWriting = false } = {}): ConnectionTarget {
  const openSecret = (field: keyof SealedSecrets): Secret | null => {
    const sealed = row.sealed[field];
    return sealed === null ? null : new Secret(unseal(sealed, { table: 'instances', id: row.id, field }));
  };
  return {
    ...row.settings,
    id: row.id,
    password: openSecret('password'),
    sentinelPassword: openSecret('sentinelPassword'),
    writePassword: forWriting ? openSecret('writePassword') : null,
    tlsKey: openSecret('tlsKey'),
  };
}
