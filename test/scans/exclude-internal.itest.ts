import { afterEach, expect, it } from 'vitest';
import { formatRestoreName, formatTombstoneName } from '@/lib/redis/keys/internal-key-name';
import { computeSlot } from '@/lib/redis/keys/slot';
import { startCluster } from '../servers/cluster';
import { startRedis } from '../servers/redis';
import { seedMixed } from '../servers/seed';
import { scanWhole } from './scan';

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});

it('a scan does not report keys of ours, nor count them as anything', async () => {
  const server = await startRedis();
  open.push(server);
  const client = server.client();
  await seedMixed(client, 2000);
  for (let seq = 0; seq < 300; seq++) {
    await client.set(formatTombstoneName(seq * 50, 'job1', seq), 'x'.repeat(20_000));
    await client.set(formatRestoreName(seq * 50, 'job1', seq), 'x');
  }
  const theirs = ['colonnade:trash:mine', 'colonnade:trash:{a}:Not:1', 'colonnade:restore:{a}', 'colonnade'];
  for (const name of theirs) await client.set(name, 'x');
  const { manifest, rows } = await scanWhole([server]);
  expect(manifest).toMatchObject({ state: 'sealed', keys: 2004 });
  expect(rows).toHaveLength(2004);
  expect(
    rows
      .map(({ name }) => name)
      .filter((name) => name.startsWith('colonnade'))
      .sort(),
  ).toEqual([...theirs].sort());
});

it('nor on any node of a cluster', async () => {
  const cluster = await startCluster({ masters: 3 });
  open.push(cluster);
  const client = cluster.client();
  for (let seq = 0; seq < 60; seq++) {
    await client.set(`k${seq}`, 'x');
    await client.set(formatTombstoneName(computeSlot(Buffer.from(`k${seq}`)), 'job1', seq), 'x');
  }
  const { manifest, rows } = await scanWhole(cluster.masters, { input: { topology: 'cluster' } });
  expect(manifest.keys).toBe(60);
  expect(rows.map(({ name }) => name).sort()).toEqual(Array.from({ length: 60 }, (_, seq) => `k${seq}`).sort());
});
