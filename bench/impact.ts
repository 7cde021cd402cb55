/**
 * Measures what a gentle scan costs a second client. A separate probing process runs a steady mix of small commands,
 * with and without the scan, in alternating windows of the same run; p99s are compared. The server must show no
 * eviction, no write by Colonnade and no idle time that a scan has reset.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { InstanceInput } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { scanToFolder } from '@/lib/scans/scan-to-folder';
import { startRedis } from '../test/servers/redis';
import { mixedKey, seedMixed } from '../test/servers/seed';

const WRITES =
  /^cmdstat_(set|del|unlink|hset|hdel|expire|pexpire|persist|rename|renamenx|sadd|srem|zadd|zrem|lpush|rpush|ltrim|xadd|xtrim|restore|eval|flushall|flushdb):calls=(\d+)/;

/** Sends TTL and PING for existing keys, one after the other every 2 ms; returns each window's p99 on request. */
async function probe(port: number, keys: number): Promise<void> {
  const client = new Redis({ port, host: '127.0.0.1', protocol: 2 });
  let times: number[] = [];
  process.on('message', (message) => {
    if (message !== 'window') return process.exit(0);
    const sorted = times.sort((a, b) => a - b);
    times = [];
    process.send?.({
      p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? null,
      samples: sorted.length,
      maxMs: sorted.at(-1) ?? null,
    });
  });
  for (let i = 0; ; i++) {
    const began = process.hrtime.bigint();
    // Only keys of the first half are accessed, so that the idle times of the rest depend on the scan alone.
    await (i % 3 === 0 ? client.ping() : client.ttl(mixedKey((i * 7919) % Math.floor(keys / 2)).key));
    times.push(Number(process.hrtime.bigint() - began) / 1e6);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { keys: { type: 'string', default: '1000000' }, json: { type: 'boolean', default: false } },
  });
  const keys = Number(values.keys);
  const server = await startRedis();
  const client = server.client();
  let child: ChildProcess | null = null;
  try {
    await seedMixed(client, keys);
    // Idle times must grow beyond the clock's resolution, so that a reset is visible.
    await sleep(3000);
    const before = await facts(client);
    child = fork(process.argv[1] ?? '', [], {
      env: { ...process.env, PROBE_PORT: String(server.port), PROBE_KEYS: String(keys) },
      execArgv: process.execArgv,
    });
    const window = () =>
      new Promise<{ p99Ms: number }>((resolve) => {
        child?.once('message', (m) => resolve(m as { p99Ms: number }));
        child?.send('window');
      });
    await sleep(1500);
    await window();
    const baseline: number[] = [];
    for (let i = 0; i < 4; i++) {
      await sleep(1500);
      baseline.push((await window()).p99Ms);
    }
    const dir = await mkdtemp(join(tmpdir(), 'colonnade-bench-'));
    const during: number[] = [];
    const began = performance.now();
    let reading = 0;
    const cpuBefore = await cpuSeconds(client);
    let cpuAfter = cpuBefore;
    let done = false;
    const sampling = (async () => {
      await sleep(500);
      await window();
      while (!done) {
        await sleep(1500);
        const { p99Ms } = await window();
        if (!done) during.push(p99Ms);
      }
    })();
    await scanToFolder({
      input: InstanceInput.parse({
        name: 'bench',
        topology: 'standalone',
        endpoints: [{ host: '127.0.0.1', port: server.port }],
      }),
      options: ScanOptions.parse({ speed: 'gentle', facts: 'full', target: 'primary' }),
      dir,
      allowedDestinations: [],
      signal: new AbortController().signal,
      shouldStop: () => false,
      retryForMs: 10_000,
      onReport: ({ progress }) => {
        if (progress?.phase === 'scanning') reading = performance.now() - began;
        else done = true;
      },
    });
    done = true;
    cpuAfter = await cpuSeconds(client);
    await sampling;
    await rm(dir, { recursive: true, force: true });
    const after = await facts(client);
    const idleDisturbed = await countDisturbed(client, keys, Math.floor((performance.now() - began) / 1000));
    const median = (n: number[]) => n.sort((a, b) => a - b)[Math.floor(n.length / 2)] ?? null;
    const result = {
      bench: 'impact',
      keys,
      baselineP99Ms: round(median(baseline)),
      scanP99Ms: round(median(during)),
      windows: during.length,
      keysPerSecond: Math.round(keys / (reading / 1000)),
      serverCpuShare: round((cpuAfter - cpuBefore) / (reading / 1000)),
      idleDisturbed,
      evicted: after.evicted - before.evicted,
      writes: after.writes - before.writes,
    };
    if (!values.json)
      console.log('scanP99Ms may exceed baselineP99Ms by 1 at most; idleDisturbed, evicted and writes must be 0');
    console.log(JSON.stringify(result));
  } finally {
    child?.kill('SIGKILL');
    await server.stop();
  }
}

async function facts(client: Redis): Promise<{ evicted: number; writes: number }> {
  const stats = await client.info('stats');
  const commands = await client.info('commandstats');
  const writes = commands.split('\r\n').reduce((sum, line) => sum + Number(WRITES.exec(line)?.[2] ?? 0), 0);
  return { evicted: Number(/evicted_keys:(\d+)/.exec(stats)?.[1]), writes };
}

async function cpuSeconds(client: Redis): Promise<number> {
  const cpu = await client.info('cpu');
  return Number(/used_cpu_user:([\d.]+)/.exec(cpu)?.[1]) + Number(/used_cpu_sys:([\d.]+)/.exec(cpu)?.[1]);
}

/**
 * Returns the number of keys that only the scan has read and whose idle time is shorter than the time since before the
 * scan.
 */
async function countDisturbed(client: Redis, keys: number, scanSeconds: number): Promise<number> {
  let disturbed = 0;
  // The kinds of keys repeat every 20 and every 200 keys: an odd step without a common factor meets all kinds.
  const step = Math.ceil(keys / 400_000) * 10 + 1;
  for (let i = Math.floor(keys / 2) + 1; i < keys; i += step) {
    const idle = await client.object('IDLETIME', mixedKey(i).key).catch(() => null);
    // Shared integers have no idle time of their own; for an expired key the reply is null.
    if (typeof idle === 'number' && idle < scanSeconds && !mixedKey(i).key.startsWith('counter:')) disturbed++;
  }
  return disturbed;
}

const round = (n: number | null) => (n === null ? null : Math.round(n * 1000) / 1000);
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

if (process.env.PROBE_PORT) await probe(Number(process.env.PROBE_PORT), Number(process.env.PROBE_KEYS));
else await main();
