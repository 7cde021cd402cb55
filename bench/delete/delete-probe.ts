import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';

/** A second client in a separate process, like an application: it sends a small command every millisecond. */
export interface Probe {
  /** Returns what it measured since the last call. */
  window(): Promise<{ p99Ms: number; maxMs: number; samples: number }>;
  stop(): void;
  readonly pid: number;
}

export async function startProbe(port: number): Promise<Probe> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), [], {
    env: { ...process.env, PROBE_PORT: String(port) },
    execArgv: process.execArgv,
  });
  await new Promise((resolve) => child.once('message', resolve));
  return {
    window: () =>
      new Promise((resolve) => {
        child.once('message', (message) => resolve(message as { p99Ms: number; maxMs: number; samples: number }));
        child.send('window');
      }),
    stop: () => child.kill(),
    pid: child.pid ?? 0,
  };
}

async function run(port: number): Promise<void> {
  const client = new Redis({ port, host: '127.0.0.1', protocol: 2 });
  await client.set('probe', 'x');
  let times: number[] = [];
  process.on('message', () => {
    const sorted = times.sort((a, b) => a - b);
    times = [];
    process.send?.({
      p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      maxMs: sorted.at(-1) ?? 0,
      samples: sorted.length,
    });
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
  for (;;) {
    const began = process.hrtime.bigint();
    await client.get('probe');
    times.push(Number(process.hrtime.bigint() - began) / 1e6);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

if (process.env.PROBE_PORT && process.send) void run(Number(process.env.PROBE_PORT));
