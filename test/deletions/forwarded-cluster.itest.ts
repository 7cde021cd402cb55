import { afterAll, beforeAll, expect, it } from 'vitest';
import { InstanceInput } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { computeSlot } from '@/lib/redis/keys/slot';
import { scanToFolder } from '@/lib/scans/scan-to-folder';
import { freshFolder } from '@/test/scans/scan';
import { type ForwardedCluster, startForwardedCluster } from '@/test/servers/forwarded-cluster';
import { temporaryData } from '@/test/temporary-data';
import { openStand, type Stand } from './stand';

/** Everything that reads and writes keys follows the address map: no announced address of this cluster answers. */

const NAMES = Array.from({ length: 60 }, (_, i) => `order:${i}`);
let data: ReturnType<typeof temporaryData>;
let cluster: ForwardedCluster;
let stand: Stand;
beforeAll(async () => {
  data = temporaryData();
  cluster = await startForwardedCluster();
  for (const name of NAMES) await findNode(name).hset(name, 'field', name);
  const target = { topology: 'cluster' as const, addressMap: cluster.map };
  // Nothing is confirmed: the addresses of the map were entered.
  stand = await openStand(cluster.masters.slice(0, 1), target, true, false);
});
afterAll(async () => {
  await stand.close();
  await cluster.stop();
  await data.remove();
});

const findNode = (name: string) => {
  const slot = computeSlot(Buffer.from(name));
  const index = cluster.ranges.findIndex(([from, to]) => slot >= from && slot <= to);
  return cluster.masters[index]!.client();
};
const countKeys = async () =>
  (await Promise.all(cluster.masters.map((node) => node.client().dbsize()))).reduce((a, b) => a + b);
const scan = (more: Record<string, unknown>) =>
  scanToFolder({
    input: InstanceInput.parse({
      name: 'forwarded',
      topology: 'cluster',
      endpoints: cluster.map.slice(0, 1).map(({ use }) => use),
      addressMap: cluster.map,
      ...more,
    }),
    options: ScanOptions.parse({ speed: 'fast' }),
    dir: freshFolder(),
    allowedDestinations: [],
    confirmedAddresses: [],
    signal: new AbortController().signal,
    shouldStop: () => false,
    retryForMs: 0,
    onReport: () => {},
  });

it('a scan reads every key; of the registered node alone, a part, and says so', async () => {
  const whole = await scan({});
  expect([whole?.keys, whole?.coverage.partial]).toEqual([NAMES.length, false]);
  const own = await cluster.masters[0]!.client().dbsize();
  const part = await scan({ onlyEndpoints: true });
  expect([part?.keys, part?.coverage.partial]).toEqual([own, true]);
  expect(part?.coverage.skipped.map(({ reason }) => reason)).toEqual(['not_used', 'not_used']);
});

it.each(['archive', 'quarantine'])('keys of every node are deleted and restored, %s', async (mode) => {
  const keys = NAMES.map((name) => ({ name, type: 'hash', length: 1 }));
  const id = await stand.plan(keys, { mode });
  await stand.until(await stand.start(id), ['succeeded']);
  const ends = await Promise.all(NAMES.map((name) => findNode(name).exists(name)));
  expect(ends.every((found) => found === 0)).toBe(true);
  await stand.until(await stand.start(id, 'undo'), ['succeeded']);
  expect(await Promise.all(NAMES.map((name) => findNode(name).hget(name, 'field')))).toEqual(NAMES);
  expect(await countKeys()).toBe(NAMES.length);
});
