import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, freePort, sleep, startChild } from '../../test/servers/process';

const SERVER = join(import.meta.dirname, '../../.next/standalone/server.js');

/** The production server, its whole output in a file, killed and started again as often as the run wants. */
export class SoakServer {
  private child: Child | undefined;
  /** While it is down on purpose, and shortly after, requests may fail. */
  downUntil = 0;
  startedAt = 0;
  /** Ended by itself. */
  endings = 0;

  private constructor(
    readonly port: number,
    readonly folder: string,
    private readonly logFile: string,
  ) {}

  static async open(folder: string): Promise<SoakServer> {
    if (!existsSync(SERVER)) throw new Error('There is no production build. Run npm run build first.');
    const server = new SoakServer(await freePort(), join(folder, 'data'), join(folder, 'server.log'));
    await server.start();
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }
  get log(): string {
    return existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8') : '';
  }

  async start(): Promise<void> {
    const env = {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      HOST: '127.0.0.1',
      HOSTNAME: '127.0.0.1',
      PORT: String(this.port),
      COLONNADE_DATA: this.folder,
      COLONNADE_SINGLE_USER: '',
      // Twenty people come from twenty addresses.
      COLONNADE_TRUST_PROXY: '1',
    };
    const set = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const run = ['-c', 'log="$1"; shift; exec env "$@" >>"$log" 2>&1', 'sh', this.logFile];
    const child = startChild('/bin/sh', [...run, ...set, process.execPath, SERVER], import.meta.dirname);
    this.child = child;
    void child.exited.then(() => {
      if (this.child === child) this.endings++;
    });
    for (let waited = 0; waited < 120_000; waited += 100) {
      if (this.child !== child || this.endings > 0) break;
      const up = await fetch(`${this.origin}/api/health`).then(
        (response) => response.ok,
        () => false,
      );
      if (up) {
        this.startedAt = Date.now();
        return;
      }
      await sleep(100);
    }
    throw new Error(`The server did not answer:\n${this.log.slice(-4000)}`);
  }

  async kill(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    child?.kill('SIGKILL');
    await child?.exited;
  }

  /** Resident memory of the process, MiB. null: it is not there. */
  rssMiB(): number | null {
    if (!this.child) return null;
    try {
      const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    } catch {
      return null;
    }
  }
}
