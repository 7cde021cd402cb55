import { freePort, sleep } from '../../test/servers/process';
import { startServer, untilHealthy } from '../../test/servers/production-server';

/** How many jobs a server without workers runs at once. */
export const SERVER_PLACES = 1;

/** The response time of a page at a time without faults. */
export interface PageTime {
  atMs: number;
  path: string;
  ms: number;
}

/** Runs the built server (`web`, or `all` on the embedded database), requests pages and listens to events of jobs. */
export class FleetWeb {
  readonly pages: PageTime[] = [];
  /** When the state of a job reached a client: `<job> <state>` → ms. */
  readonly heard = new Map<string, number>();
  readonly failures = new Map<string, number>();
  private stopped = false;

  private constructor(
    private readonly origin: string,
    private readonly child: ReturnType<typeof startServer>,
  ) {}

  get pid(): number {
    return this.child.programs().web;
  }

  /** `databaseUrl` null means the embedded database. */
  static async open(folder: string, databaseUrl: string | null): Promise<FleetWeb> {
    const port = await freePort();
    const more: Record<string, string> =
      databaseUrl === null
        ? { COLONNADE_ROLE: 'all', COLONNADE_JOBS: String(SERVER_PLACES) }
        : { COLONNADE_ROLE: 'web', COLONNADE_DATABASE_URL: databaseUrl };
    const child = startServer(port, folder, { more });
    await untilHealthy(child, port);
    return new FleetWeb(`http://127.0.0.1:${port}`, child);
  }

  /** Requests one page after the other, with pauses, until it is stopped. `isQuiet` returns whether a time counts. */
  async readPages(paths: readonly string[], isQuiet: (atMs: number) => boolean): Promise<void> {
    for (let turn = 0; !this.stopped; turn++) {
      const path = paths[turn % paths.length]!;
      const at = Date.now();
      const began = performance.now();
      let answer = await this.ask(path);
      // The server may close an idle connection at the moment at which it is used again: browsers retry, too.
      if (answer.status === 0 && answer.text.includes('other side closed')) answer = await this.ask(path);
      if (isQuiet(at)) {
        if (answer.status === 200) this.pages.push({ atMs: at, path, ms: performance.now() - began });
        else this.note(`page ${answer.status}${answer.status === 0 ? ` ${answer.text.slice(0, 80)}` : ''}`);
      }
      await sleep(500);
    }
  }

  private ask(path: string): Promise<{ status: number; text: string }> {
    return fetch(this.origin + path, { signal: AbortSignal.timeout(30_000) })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch((error: Error) => ({ status: 0, text: String(error.cause ?? error) }));
  }

  private note(failure: string): void {
    this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1);
  }

  /** Listens until it is stopped; opens a stream that ends again, as browsers do. */
  async listen(): Promise<void> {
    while (!this.stopped) {
      await this.readStream().catch(() => {});
      await sleep(300);
    }
  }

  private async readStream(): Promise<void> {
    const response = await fetch(`${this.origin}/api/jobs/events`, { headers: { accept: 'text/event-stream' } });
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body ?? []) {
      if (this.stopped) return;
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const data = /^data: ?(.*)$/m.exec(text.slice(0, end))?.[1];
        text = text.slice(end + 2);
        if (data === undefined) continue;
        const { id, state } = JSON.parse(data) as { id?: string; state?: string };
        const key = `${id} ${state}`;
        if (!this.heard.has(key)) this.heard.set(key, Date.now());
      }
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.child.kill('SIGKILL');
    await this.child.exited;
  }
}
