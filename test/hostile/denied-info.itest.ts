import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { freshFolder, scanOnce, scanWhole } from '../scans/scan';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour } from '../servers/seed';

/** Users whom INFO is denied: nothing may be missed for that, and what cannot be known is said. */
const open: RedisServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});
async function started(...rules: string[]): Promise<RedisServer> {
  const acl = [`user reader on >secret ~* &* +@all -info ${rules.join(' ')}`];
  const server = await startRedis({ acl });
  open.push(server);
  return server;
}
const asReader = { username: 'reader', secrets: { password: 'secret' } };
const fill = (server: RedisServer, db: number, keys: number) =>
  pour(
    server.client({ db }),
    Array.from({ length: keys }, (_, i) => ['SET', `key:${i}`, 'x']),
  );

describe('the databases of a server', () => {
  it('are all found by selecting them', async () => {
    const server = await started();
    for (const db of [0, 3, 15]) await fill(server, db, 20 + db);
    const { manifest, rows } = await scanWhole([server], { input: asReader });
    expect(rows).toHaveLength(20 + 23 + 35);
    expect(manifest.coverage).toMatchObject({ partial: false, partialReasons: [], keysAtStart: 78, keysAtEnd: 78 });
  });

  it('are read without their sizes where DBSIZE is denied too', async () => {
    const server = await started('-dbsize');
    for (const db of [0, 3]) await fill(server, db, 20);
    const { manifest, rows } = await scanWhole([server], { input: asReader });
    expect(rows).toHaveLength(40);
    expect(manifest.coverage).toMatchObject({ partial: false, keysAtStart: null });
  });

  it('that cannot be selected make the snapshot partial', async () => {
    const server = await started('-select');
    for (const db of [0, 3]) await fill(server, db, 20);
    const { manifest, rows } = await scanWhole([server], { input: asReader });
    expect(rows).toHaveLength(20);
    expect(manifest.coverage.partial).toBe(true);
    expect(manifest.coverage.partialReasons).toEqual([
      { code: 'databases_unknown', address: server.address, db: null, params: {} },
    ]);
  });

  it('that somebody named are no question', async () => {
    const server = await started('-select');
    await fill(server, 0, 20);
    const { manifest } = await scanWhole([server], { input: asReader, options: { databases: [0] } });
    expect(manifest.coverage.partial).toBe(false);
  });
});

describe('a server that restarts while it is read', () => {
  it('is read again from the beginning, because no cursor outlives its process', async () => {
    const server = await started();
    await fill(server, 0, 160_000);
    await server.client().call('SAVE');
    let restarted: Promise<void> | null = null;
    const dir = freshFolder();
    const { manifest, rows } = await scanWhole([server], {
      input: asReader,
      options: { speed: 'gentle' },
      dir,
      onReport: () => {
        if (begun(dir)) restarted ??= server.restart();
      },
    });
    await restarted;
    expect(restarted).not.toBeNull();
    expect(manifest.coverage.restarts).toBeGreaterThanOrEqual(1);
    expect(new Set(rows.map((row) => row.k)).size).toBe(160_000);
  });

  it('between a pause and its continuation too', async () => {
    const server = await started();
    // Enough that it is not at its end before it first reports, however busy the machine is.
    await fill(server, 0, 160_000);
    await server.client().call('SAVE');
    const dir = freshFolder();
    let read = 0;
    const paused = await scanOnce([server], {
      dir,
      input: asReader,
      options: { speed: 'gentle' },
      onReport: ({ progress }) => {
        read = progress?.done ?? 0;
      },
      shouldStop: () => read > 8000,
    });
    expect(paused).toBeNull();
    await server.restart();
    const { manifest, rows } = await scanWhole([server], { dir, input: asReader, options: { speed: 'gentle' } });
    expect(manifest.coverage.restarts).toBe(1);
    expect(new Set(rows.map((row) => row.k)).size).toBe(160_000);
  });
});

/** A cursor of the first process is written down. */
function begun(dir: string): boolean {
  const file = join(dir, 'checkpoint.json');
  if (!existsSync(file)) return false;
  const { state } = JSON.parse(readFileSync(file, 'utf8'));
  return state.partitions.some((one: { cursor: string; done: boolean }) => one.cursor !== '0' && !one.done);
}
