import { afterAll, beforeAll, expect, it } from 'vitest';
import { scanWhole } from '../scans/scan';
import { type RedisCluster, startCluster } from '../servers/cluster';
import { until } from '../servers/process';

/** A cluster that is down answers SCAN and refuses every command about keys. */

const KEYS = 900;
let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startCluster();
  const client = cluster.client();
  for (let i = 0; i < KEYS; i++) await client.set(`key:${i}`, 'x');
});
afterAll(() => cluster.stop());

it.each([
  { lost: 'slots of one node', ranges: [[2, 16_000, 16_383]] },
  {
    lost: 'slots of two nodes',
    ranges: [
      [2, 16_000, 16_383],
      [0, 0, 100],
    ],
  },
])('is waited for and then read whole: $lost', async ({ ranges }) => {
  const onEach = async (command: string) => {
    for (const [node, from, to] of ranges)
      await cluster.masters[node as number]!.client().call('CLUSTER', command, String(from), String(to));
  };
  await onEach('DELSLOTSRANGE');
  for (const [node] of ranges)
    await until('the node to see that slots are not served', async () =>
      String(await cluster.masters[node as number]!.client().call('CLUSTER', 'INFO')).includes('cluster_state:fail'),
    );
  let repairing: Promise<void> | null = null;
  const { rows, manifest } = await scanWhole(cluster.masters, {
    input: { topology: 'cluster' },
    retryForMs: 120_000,
    onReport: ({ reason }) => {
      if (reason?.code === 'cluster_down') repairing ??= onEach('ADDSLOTSRANGE');
    },
  });
  expect(repairing).not.toBeNull();
  await repairing;
  expect(rows).toHaveLength(KEYS);
  expect(rows.every(({ type, bytes }) => type !== null && bytes !== null)).toBe(true);
  expect(manifest.coverage).toMatchObject({ partial: false, partialReasons: [], skipped: [] });
});
