import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ensureBuild } from '../../scripts/ensure/build.mjs';
import { noSmallDisk } from '../disks/small-disk';
import { TestPostgres } from '../servers/postgres';
import { freePort, until } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { seedMixed } from '../servers/seed';

/**
 * Runs the files that the Dockerfile puts into its image, as the Compose files and charts do but without a container
 * engine: everything is read-only except /data and an empty /tmp, the user is 1000 without any capability, and nothing
 * of the checkout is used.
 */
const USER = 1000;
/** $1 is the writable folder, $2 the folder of the program; the command follows. */
const READ_ONLY = `set -e
mount --make-rprivate /
mount --bind "$1" "$1"
cut -d' ' -f5 /proc/self/mountinfo | grep -vxF "$1" | grep -vE '^/(proc|sys|dev)(/|$)' |
  while read -r at; do mount -o remount,ro,bind "$at"; done
mount -t tmpfs tmpfs /tmp
cd "$2"
shift 2
exec setpriv --reuid=${USER} --regid=${USER} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`;

const refused = noSmallDisk();

describe('the files of the image', () => {
  // The folder must not be below /tmp, because inside another /tmp is mounted.
  const folder = mkdtempSync('/var/tmp/colonnade-image-');
  const app = join(folder, 'app');
  const data = join(folder, 'data');
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  let redis: RedisServer;

  beforeAll(async () => {
    if (refused !== null) return;
    redis = await startRedis();
    await seedMixed(redis.client(), 2000);
    await ensureBuild();
    cpSync('.next/standalone', app, { recursive: true });
    // The Dockerfile copies the same files.
    for (const name of readdirSync('dist').filter((file) => /^colonnade.*\.mjs$/.test(file)))
      cpSync(join('dist', name), join(app, name));
    for (const name of ['docs', 'scripts']) rmSync(join(app, name), { recursive: true, force: true });
    chmodSync(folder, 0o755);
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, USER, USER);
  }, 900_000);
  afterAll(async () => {
    await redis?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const inside = (more: Record<string, string>) => ({
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', NODE_ENV: 'production' as const, COLONNADE_DATA: data, ...more },
    encoding: 'utf8' as const,
  });
  const args = (command: string[]) => ['--mount', 'sh', '-c', READ_ONLY, 'sh', data, app, ...command];
  const run = (command: string[], more: Record<string, string> = {}) =>
    spawnSync('unshare', args(command), inside(more));
  function start(command: string[], more: Record<string, string>) {
    const child = spawn('unshare', args(command), { ...inside(more), stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        said += text;
      });
    return { child, said: () => said, ended: new Promise((done) => child.once('exit', done)) };
  }
  /** Runs a command in the environment of a running process, as an engine runs a health check. */
  const beside = ({ pid }: ChildProcess, command: string[], more: Record<string, string> = {}) => {
    const user = [`--setuid=${USER}`, `--setgid=${USER}`];
    return spawnSync('nsenter', [`--target=${pid}`, '--mount', ...user, `--wd=${app}`, ...command], inside(more));
  };
  const colonnade = (...command: string[]) => [process.execPath, 'colonnade.mjs', ...command];

  it('can write nothing but the data folder and /tmp', ({ skip }) => {
    skip(refused !== null, refused ?? '');
    const written = run([
      'sh',
      '-c',
      `for at in . /var/tmp / ${data} /tmp; do touch $at/x 2>/dev/null && echo $at; done; id -u`,
    ]);
    expect([written.stdout, written.stderr]).toEqual([`${data}\n/tmp\n${USER}\n`, '']);
    rmSync(join(data, 'x'));
  });

  it('serve, scan, answer the health check of the image and end with 0', async ({ skip }) => {
    skip(refused !== null, refused ?? '');
    const port = await freePort();
    const settings = { HOST: '0.0.0.0', PORT: String(port), COLONNADE_LOG: 'info' };
    const server = start(colonnade('serve'), settings);
    await until('the server', async () => (await fetch(`http://127.0.0.1:${port}/api/health`)).ok, 120_000);
    const [, check = ''] = /HEALTHCHECK[\s\S]*?CMD (\[.*\])/.exec(dockerfile) ?? [];
    const [node, ...asked] = JSON.parse(check) as string[];
    expect(node).toBe('node');
    expect(beside(server.child, [process.execPath, ...asked], settings).status).toBe(0);
    expect(beside(server.child, [process.execPath, ...asked], { PORT: '1' }).status).toBe(1);
    const shell = (...command: string[]) => {
      const { status, stdout, stderr } = beside(server.child, colonnade(...command), settings);
      expect(status, stderr).toBe(0);
      return stdout.trim();
    };
    shell('user', 'add', 'first', '--role', 'admin');
    const token = shell('token', 'add', 'pipeline', '--user', 'first', '--role', 'admin');
    const registered = await fetch(`http://127.0.0.1:${port}/api/instances`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'redis',
        topology: 'standalone',
        endpoints: [{ host: redis.host, port: redis.port }],
      }),
    });
    expect(registered.status).toBe(201);
    const far = { COLONNADE_TOKEN: token, COLONNADE_SERVER: `http://127.0.0.1:${port}` };
    const scanned = run(colonnade('scan', 'redis', '--speed', 'fast', '--json'), far);
    expect(JSON.parse(scanned.stdout)).toMatchObject({ snapshot: { state: 'sealed', keys: 2000 } });
    const { snapshot } = JSON.parse(scanned.stdout);
    for (const what of ['reports/overview', 'reports/findings', 'reports/keys']) {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`http://127.0.0.1:${port}/api/snapshots/${snapshot.id}/${what}`, { headers });
      expect([what, answer.status]).toEqual([what, 200]);
    }
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.said()).not.toMatch(/EROFS|EACCES|read-only/);
  }, 400_000);

  it('work beside a server on one PostgreSQL, and say that they live', async ({ skip }) => {
    skip(refused !== null, refused ?? '');
    const database = await TestPostgres.start();
    onTestFinished(() => database.stop());
    // Use another data folder than that of the embedded database.
    const own = join(data, 'fleet');
    const settings = { COLONNADE_DATABASE_URL: database.url, COLONNADE_DATA: own, COLONNADE_LOG: 'info' };
    const worker = start(colonnade('worker'), { ...settings, COLONNADE_ROLE: 'worker' });
    await until('the worker', async () => worker.said().includes('engine.started'), 120_000);
    await until('its sign', async () => beside(worker.child, colonnade('worker', '--healthy'), settings).status === 0);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(worker.said()).not.toMatch(/EROFS|EACCES|read-only/);
  }, 400_000);
});
