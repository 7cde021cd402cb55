/**
 * Measures what deleting a large key costs: 2M elements of each type (1M for streams) in each mode, while a second
 * client uses the server; DEL and UNLINK are measured in the same run. Server times are the server's own (SLOWLOG by
 * client name, commandstats); the undo is checked by DEBUG DIGEST-VALUE and the expiry.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Redis } from 'ioredis';
import { isNamedType } from '@/lib/redis/drain/select-drainer';
import { sumItems } from '@/lib/store/deletions/deletion-counts';
import { closeStore } from '@/lib/store/open-store';
import { type LargeType, seedLarge } from '../test/deletions/seed-large';
import { openStand, type Stand } from '../test/deletions/stand';
import { startRedis } from '../test/servers/redis';
import type { ManySmall } from './delete/delete-many-small';
import { type MixedSizes, measureMixedSizes } from './delete/delete-mixed';
import { startProbe } from './delete/delete-probe';
import { countReplication } from './delete/delete-replica';

interface Row {
  type: string;
  mode: string;
  seconds: number;
  baselineP99Ms: number;
  probeP99Ms: number;
  probeMaxMs: number;
  worstCommandServerMs: number;
  meanCommandServerMs: number | null;
  archiveBytes: number;
  replicationBytes: number;
  undoSeconds: number | null;
  digestIdentical: boolean | null;
}

const { values } = parseArgs({
  options: {
    elements: { type: 'string', default: '2000000' },
    types: { type: 'string', default: 'hash,set,zset,list,stream' },
    modes: { type: 'string', default: 'archive,quarantine,drain,unlink,in_place,DEL,UNLINK' },
    /** Number of small keys in one deletion; 0 skips that row. */
    'many-small': { type: 'string', default: '1000000' },
    mixed: { type: 'boolean', default: true },
    json: { type: 'boolean', default: false },
  },
});
/** Commands that took fewer µs are not in the slow log, so no row reports less than this. */
const SLOW_US = 300;
/** More entries than one deletion can fill. */
const SLOW_ENTRIES = 100_000;
const ours =
  /^cmdstat_(hscan|hdel|sscan|srem|zrange|zremrangebyrank|zcard|lrange|ltrim|llen|xrange|xtrim|xlen|eval|unlink|hset|sadd|zadd|rpush|xadd|exists|persist|pexpireat|renamenx|memory\|usage|type|pttl|pexpiretime|object\|encoding):calls=(\d+),usec=(\d+)/gm;

async function spent(client: Redis): Promise<{ calls: number; usec: number }> {
  const text = await client.info('commandstats');
  let [calls, usec] = [0, 0];
  for (const found of text.matchAll(ours)) {
    calls += Number(found[2]);
    usec += Number(found[3]);
  }
  return { calls, usec };
}

/** The slowest command of our connections, ms; `SLOW_US` at most if none was slower. */
async function worst(client: Redis): Promise<number> {
  const entries = (await client.call('SLOWLOG', 'GET', String(SLOW_ENTRIES))) as [
    number,
    number,
    number,
    string[],
    string,
    string,
  ][];
  const mine = entries.filter((entry) => entry[5]?.startsWith('colonnade'));
  const [slowest] = [...mine].sort((a, b) => b[2] - a[2]);
  if (slowest && slowest[2] > 3000)
    process.stderr.write(`slow: ${slowest[2]} µs ${slowest[3].slice(0, 5).join(' ').slice(0, 120)}\n`);
  const times = mine.map((entry) => entry[2] / 1000);
  return times.reduce((max, ms) => Math.max(max, ms), SLOW_US / 1000);
}

/** Runs in a separate process, so that its memory can be measured, and before cores are assigned to the others. */
function runManySmall(keys: number): ManySmall | null {
  if (keys === 0) return null;
  const file = join(import.meta.dirname, 'delete/delete-many-small.ts');
  const args = [...process.execArgv, file, '--json', '--keys', String(keys)];
  const ran = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (ran.status !== 0) throw new Error(`The bench of many small keys ended with ${ran.status}.`);
  return JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? 'null') as ManySmall | null;
}

async function main(): Promise<void> {
  const manySmall = runManySmall(Number(values['many-small']));
  const dir = mkdtempSync(join(tmpdir(), 'colonnade-bench-delete-'));
  process.env.COLONNADE_DATA = dir;
  const server = await startRedis({
    args: ['--enable-debug-command', 'yes', '--repl-timeout', '3600', '--slowlog-max-len', String(SLOW_ENTRIES)],
  });
  const client = server.client();
  const probe = await startProbe(server.port);
  onItsOwnCore(server.pid, probe.pid);
  const replica = await countReplication(server.port);
  const stand = await openStand(server);
  const rows: Row[] = [];
  let mixedSizes: MixedSizes | null = null;
  try {
    for (const type of values.types.split(',').filter(Boolean) as LargeType[])
      for (const mode of values.modes.split(',')) {
        // Lists and streams have no elements with names.
        if (mode === 'in_place' && !isNamedType(type)) continue;
        const elements = type === 'stream' ? Number(values.elements) / 2 : Number(values.elements);
        const row = await measure({ client, probe, replica, stand, type, mode, elements });
        rows.push(row);
        process.stderr.write(`${JSON.stringify(row)}\n`);
        await client.flushall('ASYNC');
      }
    if (values.mixed) {
      await client.call('CONFIG', 'SET', 'slowlog-log-slower-than', String(SLOW_US));
      mixedSizes = await measureMixedSizes(client, stand, () => worst(client));
      process.stderr.write(`${JSON.stringify({ mixedSizes })}\n`);
    }
  } finally {
    probe.stop();
    replica.stop();
    await stand.close();
    await closeStore();
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
  const mine = rows.filter((row) => row.mode !== 'DEL' && row.mode !== 'UNLINK');
  const total = {
    elements: Number(values.elements),
    rows,
    worstCommandServerMs: Math.max(...mine.map((row) => row.worstCommandServerMs)),
    meanCommandServerMs: Math.max(...mine.map((row) => row.meanCommandServerMs ?? 0)),
    probeP99Ms: Math.max(...mine.map((row) => row.probeP99Ms)),
    worstOverBaselineMs: Math.max(...mine.map((row) => row.probeP99Ms - row.baselineP99Ms)),
    slowestArchiveSeconds: Math.max(0, ...mine.filter((row) => row.mode === 'archive').map((row) => row.seconds)),
    mixedSizes,
    digestIdentical: mine.every((row) => row.digestIdentical !== false),
    manySmall,
  };
  if (values.json) process.stdout.write(`${JSON.stringify(total)}\n`);
  else process.stdout.write(`${JSON.stringify(total, null, 2)}\n`);
}

/**
 * As in production, the server's main thread (but not its freeing threads) and the deleting process get different
 * cores, and no other process interrupts them. Otherwise the slowest command only shows how long the scheduler let it
 * wait: a single XADD once took 5 ms. The probe, started before, runs on the remaining cores and is not interrupted
 * either, so it measures the server. Without `taskset` and `chrt`, or the right to use them, all share the cores.
 */
function onItsOwnCore(pid: number, probe: number): void {
  const last = availableParallelism() - 1;
  if (last < 1) return;
  spawnSync('taskset', ['-pc', '0', String(pid)]);
  for (const one of [pid, probe]) spawnSync('chrt', ['-f', '-p', '1', String(one)]);
  spawnSync('taskset', ['-apc', `1-${last}`, String(process.pid)]);
}

interface Measure {
  client: Redis;
  probe: Awaited<ReturnType<typeof startProbe>>;
  replica: Awaited<ReturnType<typeof countReplication>>;
  stand: Stand;
  type: LargeType;
  mode: string;
  elements: number;
}

async function measure({ client, probe, replica, stand, type, mode, elements }: Measure): Promise<Row> {
  const name = `big:${type}`;
  await seedLarge(client, type, name, elements);
  const expireAt = Date.now() + 86_400_000;
  await client.pexpireat(name, expireAt);
  const bytes = Number(await client.call('MEMORY', 'USAGE', name));
  const digest = async () => ((await client.call('DEBUG', 'DIGEST-VALUE', name)) as string[])[0];
  const before = await digest();
  await sleep(1500);
  await probe.window();
  await sleep(3000);
  const baseline = await probe.window();
  await client.call('CONFIG', 'SET', 'slowlog-log-slower-than', String(SLOW_US));
  await client.call('SLOWLOG', 'RESET');
  const spentBefore = await spent(client);
  const replicated = replica.bytes();
  await probe.window();

  const raw = mode === 'DEL' || mode === 'UNLINK';
  const id = raw ? '' : await stand.plan([{ name, type, length: elements, bytes }], { mode });
  const began = performance.now();
  if (raw) await client.call(mode, name);
  else await stand.until(await stand.start(id), ['succeeded'], 300_000);
  const seconds = (performance.now() - began) / 1000;
  if (raw) await sleep(500);
  const observed = await probe.window();
  const after = await spent(client);
  const calls = after.calls - spentBefore.calls;
  const row: Row = {
    type,
    mode,
    seconds: round(seconds),
    baselineP99Ms: round(baseline.p99Ms),
    probeP99Ms: round(observed.p99Ms),
    probeMaxMs: round(observed.maxMs),
    worstCommandServerMs: raw ? round(seconds * 1000) : round(await worst(client)),
    meanCommandServerMs: raw || calls === 0 ? null : round((after.usec - spentBefore.usec) / calls / 1000),
    archiveBytes: raw ? 0 : (await sumItems(id, Date.now())).archiveBytes,
    replicationBytes: replica.bytes() - replicated,
    undoSeconds: null,
    digestIdentical: null,
  };
  if (mode === 'archive' || mode === 'quarantine') {
    await client.call('SLOWLOG', 'RESET');
    const undoBegan = performance.now();
    await stand.until(await stand.start(id, 'undo'), ['succeeded'], 300_000);
    row.undoSeconds = round((performance.now() - undoBegan) / 1000);
    row.worstCommandServerMs = Math.max(row.worstCommandServerMs, round(await worst(client)));
    row.digestIdentical = (await digest()) === before && (await client.call('PEXPIRETIME', name)) === expireAt;
  }
  return row;
}

const round = (value: number) => Math.round(value * 1000) / 1000;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

await main();
