import { join } from 'node:path';
import { recordAudit } from '@/lib/audit/record';
import { config } from '@/lib/config';
import { log } from '@/lib/log';
import { ENGINE } from '@/lib/model/actor';
import { newestSealed } from '@/lib/model/reports/fleet';
import { AT_UPGRADE } from '@/lib/model/servers/at-upgrade';
import { toNamedPlace } from '@/lib/redis/connection/destinations/named-places';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { readServerFile } from '@/lib/snapshots/folder/server-file';
import { insertDestinations } from '@/lib/store/destinations';
import { NOT_ADOPTED } from '@/lib/store/destinations-to-adopt';
import { getInstanceRow } from '@/lib/store/instances';
import { transaction } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { listSnapshotRows } from '@/lib/store/snapshots';

/**
 * Once after the upgrade to versions that ask for a confirmation: the nodes that the newest whole scan of an instance
 * has spoken to stay connected. They have had its password already and answered with its keys, so nothing is given away
 * that was not; an upgrade that stopped every cluster until somebody comes would be worse. Each stands in the audit log
 * and on the page as taken over, and can be withdrawn. What no whole scan has read waits to be confirmed.
 */
export async function adoptDestinations(): Promise<void> {
  const pending = await getSetting(NOT_ADOPTED);
  if (pending === null || pending === '[]') return;
  const found = new Map<string, string[]>();
  for (const id of JSON.parse(pending) as string[]) found.set(id, await nodesOfNewestScan(id));
  await transaction(async (tx) => {
    // Of two processes that start together one does it.
    if ((await getSetting(NOT_ADOPTED, tx)) !== pending) return;
    for (const [instanceId, addresses] of found) {
      const row = await getInstanceRow(instanceId, tx);
      if (row === null) continue;
      const at = Date.now();
      const added = addresses.map((address) => ({ address, confirmedBy: AT_UPGRADE, confirmedAt: at }));
      const confirmed = await insertDestinations(instanceId, added, tx);
      if (confirmed.length === 0) continue;
      await recordAudit(tx, {
        action: 'instance.destinations',
        subject: instanceId,
        instanceId,
        actor: ENGINE,
        details: { confirmed, why: 'read by the newest scan before the upgrade' },
      });
      log().info({ instance: instanceId, confirmed }, 'instance.destinations_adopted');
    }
    await setSetting(NOT_ADOPTED, '[]', tx);
  });
}

/** Those whose keys it has, and those that answered questions about themselves at its end. */
async function nodesOfNewestScan(instanceId: string): Promise<string[]> {
  const newest = newestSealed(await listSnapshotRows(instanceId));
  if (!newest) return [];
  const dir = join(config.dataDir, 'snapshots', newest.id);
  const manifest = await readManifest(dir).catch(() => null);
  // A damaged snapshot tells of no address: then somebody is asked.
  const server = manifest && (await readServerFile({ dir, manifest }).catch(() => null));
  const answered = (server?.nodes ?? []).filter(({ uptimeSeconds, config: settings, clients }) =>
    [uptimeSeconds, settings, clients.connected].some((fact) => fact !== null),
  );
  const skipped = new Set(manifest?.coverage.skipped.flatMap(({ address, db }) => (db === null ? [address] : [])));
  const read = (manifest?.nodes ?? []).filter(({ address }) => !skipped.has(address));
  return [...new Set([...read, ...answered].flatMap(({ address }) => placeOrNone(address)))];
}

function placeOrNone(address: string): string[] {
  try {
    return [toNamedPlace(address)];
  } catch {
    return [];
  }
}
