import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, freePort, removeFolder, sleep, startChild, temporaryFolder } from '../test/servers/process';

/**
 * The production server as a child process with a data folder of its own, so that a spec may stop, kill and restart it
 * as an operator (or an accident) would.
 */
const SERVER = join(import.meta.dirname, '../.next/standalone/server.js');

const open = new Set<Stage>();

export class Stage {
  readonly origin: string;
  private child: Child | undefined;

  private constructor(
    readonly port: number,
    readonly folder: string,
    private readonly env: Record<string, string>,
    private readonly server: string,
  ) {
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** `env`: more settings, where they depend on the origin made of it. */
  static async open(
    env: Record<string, string> | ((origin: string) => Promise<Record<string, string>>) = {},
    server = SERVER,
  ): Promise<Stage> {
    if (!existsSync(server)) throw new Error('There is no production build. Run npm run build first.');
    const port = await freePort();
    const settings = typeof env === 'function' ? await env(`http://127.0.0.1:${port}`) : env;
    const stage = new Stage(port, temporaryFolder('colonnade-e2e-'), settings, server);
    open.add(stage);
    await stage.start();
    return stage;
  }

  get pid(): number {
    if (!this.child) throw new Error('The server is not running.');
    return this.child.pid;
  }

  /** What every server of this worker said last, for the report of a failed test. */
  static errors(): string {
    const lines = [...open].flatMap((stage) => stage.child?.output().split('\n') ?? []);
    return lines.filter((line) => /"level":"(error|fatal|warn)"|Error:/.test(line)).join('\n');
  }

  async start(): Promise<void> {
    const settings = {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      HOST: '127.0.0.1',
      HOSTNAME: '127.0.0.1',
      PORT: String(this.port),
      COLONNADE_DATA: this.folder,
      // Nobody signs in but where a spec is about that.
      COLONNADE_SINGLE_USER: '1',
      // So that most scans of the tests end in a process of their own, as large ones do.
      COLONNADE_WORKER_MIN_KEYS: '10000',
      ...this.env,
    };
    const env = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    const child = startChild('/usr/bin/env', [...env, process.execPath, this.server], this.folder);
    this.child = child;
    let code: number | null | undefined;
    void child.exited.then((value) => {
      code = value;
    });
    for (let waited = 0; waited < 60_000; waited += 50) {
      if (code !== undefined) throw new Error(`The server ended with ${code}:\n${child.output()}`);
      const up = await fetch(`${this.origin}/api/health`).then(
        (response) => response.ok,
        () => false,
      );
      if (up) return;
      await sleep(50);
    }
    throw new Error(`The server did not answer:\n${child.output()}`);
  }

  /** What it has said so far. */
  get output(): string {
    return this.child?.output() ?? '';
  }

  /** Ends it and answers how long that took and with which code. */
  async end(signal: NodeJS.Signals): Promise<{ ms: number; code: number | null }> {
    const child = this.child;
    if (!child) throw new Error('The server is not running.');
    const started = performance.now();
    child.kill(signal);
    const code = await child.exited;
    this.child = undefined;
    return { ms: performance.now() - started, code };
  }

  async close(): Promise<void> {
    open.delete(this);
    if (this.child) await this.end('SIGKILL');
    removeFolder(this.folder);
  }

  /** As whom `ask` asks; empty: as nobody. */
  cookie = '';

  /** The HTTP API as curl would use it. */
  send(method: string, path: string, body?: unknown, cookie = this.cookie): Promise<Response> {
    const sent = body ?? (method === 'GET' ? undefined : {});
    return fetch(`${this.origin}${path}`, {
      method,
      headers: { origin: this.origin, 'x-colonnade': '1', 'content-type': 'application/json', cookie },
      redirect: 'manual',
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
  }

  /** The same, throwing on anything but success. */
  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.send(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }
}
