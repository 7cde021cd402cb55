import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/servers/process';
import { assertBuilt, type ServerChild, startServer, untilHealthy } from '../../test/servers/production-server';

/** The production server, with its whole output in a file; it can be killed and restarted any number of times. */
export class SoakServer {
  private child: ServerChild | undefined;
  /** Until this time requests may fail: while it is down on purpose, and shortly after. */
  downUntil = 0;
  /** How often the server ended by itself. */
  endings = 0;

  private constructor(
    readonly port: number,
    readonly folder: string,
    private readonly logFile: string,
  ) {}

  static async open(folder: string): Promise<SoakServer> {
    assertBuilt();
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
    // Sign-in is required, and the twenty users have twenty addresses.
    const more = { COLONNADE_SINGLE_USER: '', COLONNADE_TRUST_PROXY: '1' };
    const child = startServer(this.port, this.folder, { more, logFile: this.logFile });
    this.child = child;
    void child.exited.then(() => {
      if (this.child === child) this.endings++;
    });
    await untilHealthy(child, this.port, 120, () => this.log);
  }

  async kill(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    child?.kill('SIGKILL');
    await child?.exited;
  }
}
