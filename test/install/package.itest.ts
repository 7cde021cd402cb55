import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LONG } from '../long-form.mjs';
import { TestPostgres } from '../servers/postgres';
import { freePort, until } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { seedMixed } from '../servers/seed';

/**
 * Tests the package as a user gets it: packed, installed into an empty folder, run from there. With LONG=1 npm installs
 * it, which fetches from the registry and compiles where no ready-made binary can be fetched; otherwise it is unpacked,
 * and the packages that it depends on, and only those, are taken from the checkout.
 */
describe('the package that is installed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'colonnade-package-'));
  const bin = join(folder, 'node_modules/.bin/colonnade');
  // Like a new installation, it requires sign-in.
  const env = { ...process.env, NODE_PATH: '', COLONNADE_SINGLE_USER: '', COLONNADE_DATA: 'data' };
  const colonnade = (...args: string[]) => execFileSync(bin, args, { cwd: folder, encoding: 'utf8', env });
  let redis: RedisServer;
  let file: string;

  beforeAll(async () => {
    redis = await startRedis();
    await seedMixed(redis.client(), 2000);
    execFileSync(process.execPath, ['scripts/package.mjs'], { stdio: 'ignore' });
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    file = resolve('dist', `colonnade-${version}.tgz`);
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    if (LONG) execFileSync('npm', ['install', file], { cwd: folder, env, stdio: 'ignore' });
    else unpack(file, join(folder, 'node_modules'));
  }, 900_000);
  afterAll(async () => {
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has 12 MB, and the server with its native packages 130 MB', () => {
    expect(statSync(file).size).toBeLessThan(12_000_000);
    const files = readdirSync('.next/standalone', { recursive: true, withFileTypes: true });
    const bytes = files.filter((one) => one.isFile()).map((one) => statSync(join(one.parentPath, one.name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(130_000_000);
  });

  it('is traced from what it runs, not from all files of the project', () => {
    const traced = JSON.parse(readFileSync('.next/server/instrumentation.js.nft.json', 'utf8')) as { files: string[] };
    const folders = traced.files.map((name) => name.replace(/^(\.\.\/)+/, '').split('/')[0]);
    for (const folder of ['app', 'bench', 'cli', 'docs', 'e2e', 'messages', 'scripts', 'test'])
      expect(folders).not.toContain(folder);
  });

  it('does not say where it was built', () => {
    const inside = join(folder, 'node_modules/colonnade');
    const found = spawnSync('grep', ['-rlF', process.cwd(), inside], { encoding: 'utf8' });
    expect([found.status, found.stdout]).toEqual([1, '']);
  });

  it('carries nothing compiled for the machine that packed it', () => {
    const inside = readdirSync(join(folder, 'node_modules/colonnade'), { recursive: true }).map(String);
    expect(inside).toContain('server/server.js');
    expect(inside.filter((file) => /\.(node|so(\.\d+)*|dylib|dll)$/.test(file))).toEqual([]);
    expect(inside.filter((file) => /^server\/(dist|deploy|test|lib)\/|\.tgz$/.test(file))).toEqual([]);
    expect(inside.filter((file) => /^server\/node_modules\/.*(\/(test|tests|__tests__)\/|\.map$)/.test(file))).toEqual(
      [],
    );
    expect(inside.filter((file) => /(^|\/)(vault\.key|colonnade\.db|\.env.*)$/.test(file))).toEqual([]);
  });

  it('says its version and scans a real server', () => {
    expect(colonnade('version')).toMatch(/^colonnade \d+\.\d+\.\d+$/m);
    const out = join(folder, 'snapshot');
    expect(colonnade('scan', redis.url, '--speed', 'fast', '--out', out)).toMatch(/keys\s+2,000/);
    expect(readdirSync(out)).toContain('keys-0000.parquet');
  });

  it('serves pages, works on its data folder and ends with 0', async () => {
    const port = await freePort();
    const args = ['serve', '--port', String(port), '--data', 'data'];
    const child = spawn(bin, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
    });
    const ended = new Promise((done) => child.once('exit', done));
    const headers = { accept: 'text/html,*/*' };
    const asked = async (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => null);
    for (let tries = 0; tries < 480 && (await asked('/api/health'))?.ok !== true; tries += 1)
      await new Promise((done) => setTimeout(done, 250));
    const page = await (await asked('/'))?.text();
    expect(/<title>[^<]*/.exec(page ?? '')?.[0]).toBe('<title>Sign in · Colonnade');
    const [script] = /\/_next\/static\/[^"]+\.js/.exec(page ?? '') ?? [];
    expect((await asked(script as string))?.status).toBe(200);
    expect(readdirSync(join(folder, 'data'))).toContain('colonnade.db');
    expect(said).toContain(`http://127.0.0.1:${port}/welcome#`);
    expect((await asked('/api/instances'))?.status).toBe(401);
    expect(colonnade('user', 'add', 'first', '--role', 'admin')).toContain('/welcome#');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('serves in one process and scans in another, on one PostgreSQL; the worker ends with 0', async () => {
    const database = await TestPostgres.start();
    onTestFinished(() => database.stop());
    const port = await freePort();
    const shared = { ...env, COLONNADE_LOG: 'info', COLONNADE_DATA: 'shared', COLONNADE_DATABASE_URL: database.url };
    const start = (args: string[], role: string) => {
      const child = spawn(bin, args, { cwd: folder, env: { ...shared, COLONNADE_ROLE: role } });
      onTestFinished(() => void child.kill('SIGKILL'));
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text) => {
          said += text;
        });
      return { child, said: () => said, ended: new Promise((done) => child.once('exit', done)) };
    };
    const web = start(['serve', '--port', String(port)], 'web');
    const server = `http://127.0.0.1:${port}`;
    await until('the server', async () => (await fetch(`${server}/api/health`)).ok, 120_000);
    const worker = start(['worker'], '');
    await until('the worker', async () => worker.said().includes('engine.started'), 120_000);

    const shell = (more: Record<string, string>, ...args: string[]) =>
      execFileSync(bin, args, { cwd: folder, encoding: 'utf8', env: { ...shared, ...more } });
    shell({}, 'user', 'add', 'first', '--role', 'admin');
    const token = shell({}, 'token', 'add', 'pipeline', '--user', 'first', '--role', 'admin').trim();
    const registered = await fetch(`${server}/api/instances`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'redis',
        topology: 'standalone',
        endpoints: [{ host: redis.host, port: redis.port }],
      }),
    });
    expect([registered.status, await registered.json()]).toMatchObject([201, { instance: { name: 'redis' } }]);
    const far = { COLONNADE_TOKEN: token, COLONNADE_SERVER: server };
    const scanned = JSON.parse(shell(far, 'scan', 'redis', '--speed', 'fast', '--json'));
    expect(scanned).toMatchObject({ snapshot: { state: 'sealed', keys: 2000 } });
    // This process only serves pages, so the job was run by the other one.
    expect(web.said()).toContain('engine.pages_only');
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    web.child.kill('SIGTERM');
    expect(await web.ended).toBe(0);
  }, 400_000);
});

/** Does what npm does with a package, except that it does not fetch the dependencies. */
function unpack(file: string, modules: string): void {
  const own = join(modules, 'colonnade');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', own]);
  const { bin, dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(modules, name));
  }
  mkdirSync(join(modules, '.bin'));
  symlinkSync(join(own, bin.colonnade), join(modules, '.bin/colonnade'));
}
