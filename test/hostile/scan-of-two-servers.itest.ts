import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { freshFolder, scanOnce, scanWhole } from '../scans/scan';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour } from '../servers/seed';

/** The address of an instance is corrected while its scan is paused: one snapshot never contains two servers. */
const open: RedisServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});
async function holding(name: string, keys: number): Promise<RedisServer> {
  const server = await startRedis();
  open.push(server);
  await pour(
    server.client(),
    Array.from({ length: keys }, (_, i) => ['SET', `${name}:${i}`, 'x']),
  );
  return server;
}

it('a scan that goes on with another server keeps nothing of the one before', async () => {
  const [before, now] = [await holding('before', 3_000), await holding('now', 500)];
  const more = Array.from({ length: 20_000 }, (_, i) => ['SET', `more:${i}`, 'x']);
  await pour(before.client(), [['SELECT', '1'], ...more]);
  const dir = freshFolder();
  const file = join(dir, 'checkpoint.json');
  const options = { speed: 'gentle' };
  const readState = () => JSON.parse(readFileSync(file, 'utf8')).state;
  // Stops at the first page of the second database.
  const shouldStop = () => existsSync(file) && readState().partitions[0]?.done === true;
  expect(await scanOnce([before], { dir, options, shouldStop })).toBeNull();
  // Jobs of a server do the same: the checkpoint stays, the address changes.
  const { identity, state } = JSON.parse(readFileSync(file, 'utf8'));
  expect(state.partitions[0]).toMatchObject({ db: 0, done: true, keys: 3_000 });
  const edited = identity.replaceAll(String(before.port), String(now.port));
  writeFileSync(file, JSON.stringify({ identity: edited, state }));
  const { rows, manifest } = await scanWhole([now], { dir, options });
  expect(rows.filter(({ name }) => !name.startsWith('now:'))).toEqual([]);
  expect(rows).toHaveLength(500);
  expect(manifest.nodes.map(({ address }) => address)).toEqual([`${now.host}:${now.port}`]);
  expect(manifest.coverage).toMatchObject({ keysRead: 500, keysAtStart: 500, partial: false });
});
