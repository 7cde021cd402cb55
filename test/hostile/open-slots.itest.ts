import { execFileSync } from 'node:child_process';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scanWhole } from '../scans/scan';
import { type RedisCluster, startCluster } from '../servers/cluster';

/** A resharding that was started and not finished: keys move from one node to the other while both are scanned. */
let cluster: RedisCluster;
let names: string[];
beforeAll(async () => {
  cluster = await startCluster({ masters: 3 });
  const client = cluster.client();
  names = Array.from({ length: 3000 }, (_, i) => `{slot}:${i}`);
  await Promise.all(names.map((name) => client.set(name, 'x')));
  for (let i = 0; i < 300; i++) await client.set(`other:${i}`, 'x');
});
afterAll(() => cluster.stop());

const scan = (options: Parameters<typeof scanWhole>[1] = {}) =>
  scanWhole(cluster.masters.slice(0, 1), { ...options, input: { topology: 'cluster' } });

it('a scan under an open slot says that keys may be missing', async () => {
  const { source, target, slot, sourceId, targetId } = await owners();
  expect((await scan()).manifest.coverage).toMatchObject({ partial: false, partialReasons: [] });

  await target.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', sourceId);
  await source.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', targetId);
  await source.call(
    'MIGRATE',
    '127.0.0.1',
    String(target.options.port),
    '',
    '0',
    '5000',
    'KEYS',
    ...names.slice(0, 900),
  );
  const { manifest, rows } = await scan();
  expect(rows).toHaveLength(3300);
  expect(manifest.coverage.partial).toBe(true);
  expect(manifest.coverage.partialReasons).toEqual([
    { code: 'slots_migrating', address: null, db: null, params: { slots: 1 } },
  ]);

  // The slot is open when the scan begins and closed without a change of owner when it ends: keys that moved meanwhile
  // are unknown too.
  let closed: Promise<unknown> | null = null;
  const close = async () => {
    await target.call('CLUSTER', 'SETSLOT', slot, 'STABLE');
    await source.call('CLUSTER', 'SETSLOT', slot, 'STABLE');
  };
  const second = await scan({
    options: { speed: 'gentle' },
    onReport: ({ progress }) => {
      if ((progress?.done ?? 0) > 0) closed ??= close();
    },
  });
  await closed;
  expect(second.manifest.coverage.partialReasons.map(({ code }) => code)).toContain('slots_migrating');
});

it('a slot that is handed over while it is read is read again, and nothing is missing', async () => {
  const { source, target, slot, sourceId, targetId } = await owners();
  await target.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', sourceId);
  await source.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', targetId);
  const third = cluster.masters.find(({ port }) => port !== source.options.port && port !== target.options.port)!;
  const ports = [source.options.port, target.options.port, third.port].map(String);
  let looks = 0;
  const { manifest, rows } = await scan({
    options: { speed: 'gentle' },
    // This is called before the scan begins, then between its pages. The scan pauses here while the slot is moved, so
    // it begins with the slot open and ends with the slot moved, however fast the machine is.
    shouldStop: () => {
      if (++looks === 5) execFileSync(process.execPath, ['-e', MOVE, ...ports, slot, targetId]);
      return false;
    },
  });
  expect(looks).toBeGreaterThanOrEqual(5);
  expect(new Set(rows.map((row) => row.name)).size).toBe(3300);
  expect(manifest.coverage).toMatchObject({ partial: false, partialReasons: [] });
});

/** Runs in a separate process, so that this one can block until it has finished. */
const MOVE = `
const { Redis } = require('ioredis');
const [sourcePort, targetPort, thirdPort, slot, targetId] = process.argv.slice(1);
const [source, target, third] = [sourcePort, targetPort, thirdPort].map((port) => new Redis(Number(port), '127.0.0.1'));
(async () => {
  for (;;) {
    const some = await source.call('CLUSTER', 'GETKEYSINSLOT', slot, '500');
    if (some.length === 0) break;
    await source.call('MIGRATE', '127.0.0.1', targetPort, '', '0', '5000', 'REPLACE', 'KEYS', ...some);
  }
  // All nodes know it, so the scan may ask any of them.
  for (const node of [target, source, third]) await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', targetId);
  process.exit(0);
})().catch((error) => { console.error(error); process.exit(1); });
`;

async function owners() {
  const clients = cluster.masters.map((master) => master.client());
  const slot = String(await clients[0]!.call('CLUSTER', 'KEYSLOT', '{slot}'));
  const owner = cluster.ranges.findIndex(([from, to]) => Number(slot) >= from && Number(slot) <= to);
  const source = clients[owner] as Redis;
  const target = clients[(owner + 1) % clients.length] as Redis;
  const id = (client: Redis) => client.call('CLUSTER', 'MYID') as Promise<string>;
  return { source, target, slot, sourceId: await id(source), targetId: await id(target) };
}
