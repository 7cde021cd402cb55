import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../deletions/faults/fault-proxy';
import { LONG } from '../long-form.mjs';
import { freshFolder, scanOnce, scanWhole } from '../scans/scan';
import { sleep, until } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour } from '../servers/seed';

/** Users without the right to INFO: no key may be missed because of that, and what cannot be known is reported. */
const open: (RedisServer | FaultProxy)[] = [];
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
  const KEYS = LONG ? 160_000 : 6000;
  const scanned = { input: asReader, options: { speed: 'gentle' } };

  /**
   * The server is reached through a proxy that can hold a page back, so the scan cannot finish first, however fast it
   * is.
   */
  async function filled() {
    const server = await started();
    await fill(server, 0, KEYS);
    await server.client().call('SAVE');
    const proxy = await startFaultProxy(server.port);
    open.push(proxy);
    return { server, proxy, reached: { ...server, port: proxy.port } as RedisServer };
  }
  const page = { word: 'SCAN', after: 6, act: 'hold' } as const;

  it('is read again from the beginning, because no cursor outlives its process', async () => {
    const { server, proxy, reached } = await filled();
    const dir = freshFolder();
    let struck = proxy.strike(page);
    const scan = scanWhole([reached], { ...scanned, dir });
    const old = await struck;
    // What was read before is now old enough to be saved with the next page.
    await sleep(1600);
    struck = proxy.strike(page);
    old.release();
    const next = await struck;
    await until('a cursor in the checkpoint', async () => begun(dir));
    await server.restart();
    next.drop();
    const { manifest, rows } = await scan;
    expect(manifest.coverage.restarts).toBeGreaterThanOrEqual(1);
    expect(new Set(rows.map((row) => row.k)).size).toBe(KEYS);
  });

  it('between a pause and its continuation too', async () => {
    const { server, proxy, reached } = await filled();
    const dir = freshFolder();
    let isStopped = false;
    const struck = proxy.strike(page);
    const pausing = scanOnce([reached], { ...scanned, dir, shouldStop: () => isStopped });
    const held = await struck;
    isStopped = true;
    held.release();
    expect(await pausing).toBeNull();
    await server.restart();
    const { manifest, rows } = await scanWhole([reached], { ...scanned, dir });
    expect(manifest.coverage.restarts).toBe(1);
    expect(new Set(rows.map((row) => row.k)).size).toBe(KEYS);
  });
});

/** Whether the first process has saved a cursor. */
function begun(dir: string): boolean {
  const file = join(dir, 'checkpoint.json');
  if (!existsSync(file)) return false;
  const { state } = JSON.parse(readFileSync(file, 'utf8'));
  return state.partitions.some((one: { cursor: string; done: boolean }) => one.cursor !== '0' && !one.done);
}
