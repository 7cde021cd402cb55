import { InstanceSettings } from '@/lib/model/servers/instance';
import { insertInstanceRow } from '@/lib/store/instances';
import { getSnapshotRow, insertSnapshot } from '@/lib/store/snapshots';

/** Adds a generated snapshot to the store of COLONNADE_DATA, unless it is there already. */
export async function registerSnapshot(id: string, instanceId: string, keys: number): Promise<void> {
  if ((await getSnapshotRow(id)) !== null) return;
  const at = Date.now();
  await insertInstanceRow({
    id: instanceId,
    settings: InstanceSettings.parse({
      name: 'bench',
      topology: 'standalone',
      endpoints: [{ host: '127.0.0.1', port: 1 }],
    }),
    sealed: { password: null, sentinelPassword: null, writePassword: null, tlsKey: null },
    createdAt: at,
    updatedAt: at,
  });
  await insertSnapshot({
    id,
    instanceId,
    jobId: null,
    state: 'sealed',
    startedAt: at,
    endedAt: at,
    keys,
    bytes: null,
    bigkeys: null,
    noExpiryKeys: null,
    partial: false,
    fileBytes: null,
  });
}
