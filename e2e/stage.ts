import { freePort, removeFolder, temporaryFolder } from '../test/servers/process';
import {
  assertBuilt,
  PRODUCTION_SERVER,
  type ServerChild,
  startServer,
  untilHealthy,
} from '../test/servers/production-server';

const open = new Set<Stage>();
/** More bytes than a server of these tests prints, because all of its output is searched for secrets. */
const KEEP_BYTES = 64 * 1024 * 1024;

/**
 * The production server as a child process with a separate data folder, which a spec can stop, kill and restart as an
 * operator (or an accident) would.
 */
export class Stage {
  readonly origin: string;
  private child: ServerChild | undefined;

  private constructor(
    readonly port: number,
    readonly folder: string,
    private readonly env: Record<string, string>,
    private readonly server: string,
  ) {
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** `env`: more settings, or a function that makes them from the origin. */
  static async open(
    env: Record<string, string> | ((origin: string) => Promise<Record<string, string>>) = {},
    server = PRODUCTION_SERVER,
  ): Promise<Stage> {
    assertBuilt(server);
    const port = await freePort();
    const settings = typeof env === 'function' ? await env(`http://127.0.0.1:${port}`) : env;
    const stage = new Stage(port, temporaryFolder('colonnade-e2e-'), settings, server);
    open.add(stage);
    await stage.start();
    return stage;
  }

  get parent(): number {
    if (!this.child) throw new Error('The server is not running.');
    return this.child.pid;
  }

  /** Returns the ids of its web and worker processes. */
  get programs(): ReturnType<ServerChild['programs']> {
    if (!this.child) throw new Error('The server is not running.');
    return this.child.programs();
  }

  /** Returns the latest errors of every server of this worker, for the report of a failed test. */
  static errors(): string {
    const lines = [...open].flatMap((stage) => stage.child?.output().split('\n') ?? []);
    return lines.filter((line) => /"level":"(error|fatal|warn)"|Error:/.test(line)).join('\n');
  }

  async start(): Promise<void> {
    this.child = startServer(this.port, this.folder, { more: this.env, server: this.server, keepBytes: KEEP_BYTES });
    await untilHealthy(this.child, this.port);
  }

  /** Returns the output so far. */
  get output(): string {
    return this.child?.output() ?? '';
  }

  /** Ends the server; returns how long that took and the exit code. */
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

  /** The session cookie that `ask` sends; empty: not signed in. */
  cookie = '';

  /** Uses the HTTP API as curl would. */
  send(method: string, path: string, body?: unknown, cookie = this.cookie): Promise<Response> {
    const sent = body ?? (method === 'GET' ? undefined : {});
    return fetch(`${this.origin}${path}`, {
      method,
      headers: { origin: this.origin, 'x-colonnade': '1', 'content-type': 'application/json', cookie },
      redirect: 'manual',
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
  }

  /** Does the same, and throws unless the response is successful. */
  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.send(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }
}
