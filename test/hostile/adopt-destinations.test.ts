import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listAudit } from '@/lib/audit-log/list-audit';
import { config } from '@/lib/config';
import { adoptDestinations } from '@/lib/instances/adopt-destinations';
import { registerInstance } from '@/lib/instances/register-instance';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { InstanceInput } from '@/lib/model/servers/instance';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { newCheckpoint, newManifest } from '@/lib/scans/run/begin-scan';
import { listDestinations } from '@/lib/store/destinations';
import { NOT_ADOPTED } from '@/lib/store/destinations-to-adopt';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { insertSnapshot } from '@/lib/store/snapshots';
import { temporaryData } from '@/test/temporary-data';

/** What an upgrade keeps connected: the nodes that the newest whole scan has spoken to, and nothing else. */
let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

const registered = (name: string) =>
  registerInstance(
    LOCAL_ADMIN,
    InstanceInput.parse({ name, topology: 'cluster', endpoints: [{ host: '10.0.0.1', port: 6379 }] }),
  );

async function scanned(instanceId: string, id: string, startedAt: number, nodes: string[], unread: string[] = []) {
  await insertSnapshot({
    ...{ id, instanceId, jobId: null, state: 'sealed', startedAt, endedAt: startedAt, keys: 1, bytes: null },
    ...{ bigkeys: 0, noExpiryKeys: null, partial: false, fileBytes: null },
  });
  const dir = join(config.dataDir, 'snapshots', id);
  mkdirSync(dir, { recursive: true });
  const checkpoint = newCheckpoint(id, ScanOptions.parse({}));
  checkpoint.nodes = nodes.map((address) => ({ address, runId: null, role: 'master', slots: [] }));
  checkpoint.skipped = unread.map((address) => ({ address, db: null, reason: 'unreachable' }));
  const facts = { flavor: 'redis', version: null, maxmemoryPolicy: null, lazyfreeLazyExpire: null, nodes: [] };
  const manifest = newManifest(
    checkpoint,
    { id: instanceId, name: 'x', jobId: null },
    facts as unknown as ConnectionReport,
  );
  writeFileSync(join(dir, 'snapshot.json'), JSON.stringify({ ...manifest, state: 'sealed' }));
  return dir;
}

it('takes over what the newest scan has read or spoken to, once, and says so', async () => {
  const before = await registered('before');
  await scanned(before.id, 'old', 1, ['10.0.0.9:6379']);
  const dir = await scanned(before.id, 'new', 2, ['10.0.0.2:6379', '10.0.0.4:6379'], ['10.0.0.4:6379']);
  const clients = { connected: 1 };
  const silent = { uptimeSeconds: null, config: null, clients: { connected: null } };
  writeFileSync(
    join(dir, 'server.json'),
    JSON.stringify({
      nodes: [
        { address: '10.0.0.3:6379', uptimeSeconds: 5, config: null, clients },
        { address: '10.0.0.5:6379', ...silent },
      ],
    }),
  );
  const never = await registered('never scanned');
  const since = await registered('registered since');
  await scanned(since.id, 'other', 3, ['10.0.0.8:6379']);
  await setSetting(NOT_ADOPTED, JSON.stringify([before.id, never.id, 'removed']));
  await adoptDestinations();
  await adoptDestinations();
  const taken = ['10.0.0.2:6379', '10.0.0.3:6379'];
  expect((await listDestinations(before.id)).map(({ address, confirmedBy }) => [address, confirmedBy])).toEqual(
    taken.map((address) => [address, '']),
  );
  expect(await listDestinations(never.id)).toEqual([]);
  expect(await listDestinations(since.id)).toEqual([]);
  const rows = (await listAudit(LOCAL_ADMIN, {})).rows.filter(({ action }) => action === 'instance.destinations');
  expect(rows).toMatchObject([{ instanceId: before.id, details: { confirmed: taken } }]);
  expect(await getSetting(NOT_ADOPTED)).toBe('[]');
});

it('a new store has nothing to take over', async () => {
  await registered('new');
  expect(await getSetting(NOT_ADOPTED)).toBeNull();
  await adoptDestinations();
});
