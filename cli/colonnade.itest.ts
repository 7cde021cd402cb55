import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { startRogue } from '../test/servers/rogue';
import { pour, seedMixed } from '../test/servers/seed';

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** The command as a person calls it, in a process of its own. */
function colonnade(args: string[], env: Record<string, string> = {}, interruptAfterMs?: number): Promise<Ended> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'cli/colonnade.ts', ...args], {
    env: { ...process.env, ...env },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  child.stderr.on('data', (data) => {
    err += data;
  });
  if (interruptAfterMs !== undefined) setTimeout(() => child.kill('SIGINT'), interruptAfterMs);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

const folder = () => join(mkdtempSync(join(tmpdir(), 'colonnade-cli-')), 'snapshot');

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis({ password: 's3cret' });
  await seedMixed(server.client(), 2000);
  await pour(server.client(), [
    ['HSET', 'big:hash', ...Array.from({ length: 12_000 }, (_, i) => `f${i}`)],
    ['SET', '\u001b[2Jevil|`name`', 'x'],
  ]);
});
afterAll(() => server.stop());
const password = { COLONNADE_PASSWORD: 's3cret' };

describe('colonnade scan', () => {
  it('prints an overview, keeps the snapshot, and is silent about progress when piped', async () => {
    const dir = folder();
    const { code, out, err } = await colonnade(['scan', server.url, '--speed', 'fast', '--out', dir], password);
    expect(code).toBe(0);
    expect(out).toMatch(/keys\s+2,002/);
    expect(out).toMatch(/bigkeys\s+1 /);
    expect(err).not.toContain('\r');
    expect(out + err).not.toContain('s3cret');
    expect(existsSync(join(dir, 'keys.parquet'))).toBe(true);
    const report = await colonnade(['report', dir, 'bigkeys']);
    expect(report.out).toMatch(/big:hash\s+0\s+hash/);
    const keys = await colonnade(['report', dir, 'keys', '--search', 'evil']);
    expect(keys.out).not.toContain('\u001b');
    expect(keys.out).toContain('evil');
    const tree = JSON.parse(
      (await colonnade(['report', dir, 'tree', '--prefix', 'user:', '--sort', '-keys', '--json'])).out,
    );
    expect(tree.report.keys).toBe(900);
  });

  it('speaks JSON and Markdown', async () => {
    const json = await colonnade(['scan', server.url, '--speed', 'fast', '--json'], password);
    expect(JSON.parse(json.out)).toMatchObject({
      snapshot: { state: 'sealed', keys: 2002 },
      overview: { keys: 2002, bigkeys: 1 },
    });
    const markdown = await colonnade(
      ['scan', server.url, '--speed', 'fast', '--facts', 'basic', '--markdown'],
      password,
    );
    expect(markdown.out).toContain('| type | keys | memory |');
    expect(markdown.out).not.toContain('|`name`');
  });

  it('stops when interrupted and continues with the same command', async () => {
    await seedMixed(server.client({ db: 1 }), 150_000);
    const dir = folder();
    const args = ['scan', `${server.url}/1`, '--out', dir];
    const first = await colonnade(args, password, 3500);
    expect(first).toMatchObject({ code: 4, err: expect.stringContaining('The same command continues') });
    const second = await colonnade([...args, '--json'], password);
    expect(second.code).toBe(0);
    expect(JSON.parse(second.out).snapshot).toMatchObject({ keys: 150_000, coverage: { partial: false } });
  });

  it('ends with 3 and what to do when the connection fails', async () => {
    const refused = await colonnade(['scan', 'redis://127.0.0.1:1']);
    expect(refused).toMatchObject({ code: 3, out: '' });
    expect(refused.err).toMatch(/colonnade: .{20,}/);
    expect((await colonnade(['scan', server.url])).code).toBe(3);
    expect((await colonnade(['scan', server.url], { COLONNADE_PASSWORD: 'wrong' })).code).toBe(3);
    const web = await startRogue(() => 'HTTP/1.1 400 Bad Request\r\n\r\n');
    expect(await colonnade(['scan', `redis://127.0.0.1:${web.port}`])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/not.*Redis|web server/i),
    });
    await web.stop();
  });

  it('ends with 2 and the usage when it is called wrongly', async () => {
    for (const args of [
      ['scan'],
      ['scan', 'http://x'],
      ['scan', server.url, '--speed', 'warp'],
      ['scan', server.url, '--nope'],
      ['report'],
      ['report', '/tmp', 'nothing'],
      ['frob'],
      ['scan', 'a:1,b:2'],
    ]) {
      const { code, err } = await colonnade(args);
      expect([args, code]).toEqual([args, 2]);
      expect(err).toContain('Exit codes');
    }
  });

  it('says that a folder is no snapshot', async () => {
    const { code, err } = await colonnade(['report', '/nowhere/at/all']);
    expect(code).toBe(5);
    expect(err).toContain('no such snapshot');
  });
});
