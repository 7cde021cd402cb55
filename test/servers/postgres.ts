import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { findPostgres } from '../../scripts/ensure/postgres.mjs';

export const PASSWORD = 'wren-canary-7';

/**
 * A separate PostgreSQL on a free port of loopback, with a password. It refuses to run as root, so if root runs the
 * tests it runs as another user.
 */
export class TestPostgres {
  #process: ChildProcess | null = null;
  private constructor(
    readonly bin: string,
    readonly folder: string,
    readonly port: number,
    readonly settings: readonly string[],
  ) {}

  get url(): string {
    return `postgres://colonnade:${PASSWORD}@127.0.0.1:${this.port}/postgres`;
  }

  /** With `certificate` it supports TLS too. */
  static async start(certificate?: { cert: string; key: string }): Promise<TestPostgres> {
    const bin = findPostgres();
    if (bin === null)
      throw new Error('These tests need PostgreSQL (postgres and initdb, on PATH or in /usr/lib/postgresql).');
    const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
    const { uid } = user();
    if (uid !== undefined) {
      chownSync(folder, uid, uid);
      // Other users cannot read the folder of this run; they need only the right to traverse it.
      const parent = dirname(folder);
      chmodSync(parent, (statSync(parent).mode & 0o7777) | 0o011);
    }
    const passwords = join(folder, 'password');
    writeFileSync(passwords, PASSWORD);
    if (uid !== undefined) chownSync(passwords, uid, uid);
    const args = ['-D', join(folder, 'data'), '-U', 'colonnade', '--pwfile', passwords, '--auth=scram-sha-256'];
    execFileSync(join(bin, 'initdb'), [...args, '--no-sync', '-E', 'UTF8'], { ...user(), cwd: folder, stdio: 'pipe' });
    const files = { cert: join(folder, 'server.crt'), key: join(folder, 'server.key') };
    for (const name of ['cert', 'key'] as const) {
      if (!certificate) continue;
      writeFileSync(files[name], certificate[name], { mode: 0o600 });
      if (uid !== undefined) chownSync(files[name], uid, uid);
    }
    const tls = certificate ? ['ssl=on', `ssl_cert_file=${files.cert}`, `ssl_key_file=${files.key}`] : [];
    const server = new TestPostgres(bin, folder, await freePort(), tls);
    await server.restart();
    return server;
  }

  async restart(): Promise<void> {
    const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${this.folder}`, 'fsync=off'];
    const given = [...settings, ...this.settings, 'max_connections=200', 'log_min_messages=panic'].flatMap((one) => [
      '-c',
      one,
    ]);
    const args = ['-D', join(this.folder, 'data'), '-p', String(this.port), ...given];
    const start = () => spawn(join(this.bin, 'postgres'), args, { ...user(), cwd: this.folder, stdio: 'ignore' });
    this.#process = start();
    let starts = 1;
    const until = Date.now() + 90_000;
    for (;;) {
      const client = new pg.Client({ connectionString: this.url });
      client.on('error', () => {});
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        const hasEnded = this.#process.exitCode !== null;
        if (Date.now() > until || (hasEnded && starts >= 20)) throw error;
        await new Promise((resolve) => setTimeout(resolve, hasEnded ? 500 : 50));
        // The shared memory of a killed server exists until the last of its children has noticed that it died.
        if (hasEnded) {
          this.#process = start();
          starts += 1;
        }
      }
    }
  }

  /** Kills the server as a power failure would: every connection ends in the middle of its work. */
  async kill(): Promise<void> {
    if (!this.#process || this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    // The children notice the end by themselves; the next start would otherwise find their shared memory.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const lock = join(this.folder, 'data/postmaster.pid');
    if (existsSync(lock)) rmSync(lock);
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The user that the server runs as: an unprivileged one if root runs the tests, else the current user. */
function user(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }));
  return { uid: id, gid: id };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}
