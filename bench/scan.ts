/**
 * Measures how fast a whole keyspace becomes a sealed snapshot, compared with `redis-cli --bigkeys` in the same run:
 * the two take turns, and medians are compared, so that a busy machine slows both. Our time runs from connect to sealed
 * file. `wireFloorKeysPerSecond` is the speed of the bare channel when it reads the same facts and discards them
 * (wire-floor.ts), in the same turns. `floorShare` is how much of that a full scan reaches from its first page to the
 * last while it stores and sorts what it reads; `sealSeconds` follow. `sealedShare` is the share of both together: 1
 * would mean that storing, sorting and sealing take no time. Exits with 1 if a limit is missed.
 */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { startRedis } from '../test/servers/redis';
import { seedMixed } from '../test/servers/seed';
import { findMissedBars, SCAN_BARS } from './figures/bars';

const run = promisify(execFile);
const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});
const keys = Number(values.keys);
const say = (text: string) => values.json || console.log(text);

interface Once {
  keys: number;
  seconds: number;
  /** From the first requested page to the last received one. */
  readSeconds: number;
  /** From the last page to the sealed file. */
  sealSeconds: number;
  fileBytes: number;
  peakRssMiB: number;
}

const server = await startRedis();
try {
  say(`seeding ${keys} keys`);
  await seedMixed(server.client(), keys);
  const cli: number[] = [];
  const floor: number[] = [];
  const ours: Record<'basic' | 'full', Once[]> = { basic: [], full: [] };
  for (let round = 0; round < Number(values.rounds); round++) {
    const began = performance.now();
    await run('redis-cli', ['-p', String(server.port), '--bigkeys'], { maxBuffer: 64 << 20 });
    cli.push((performance.now() - began) / 1000);
    say(`round ${round + 1}: redis-cli --bigkeys ${cli.at(-1)?.toFixed(2)} s`);
    const bare = await run(process.execPath, ['--import', 'tsx', 'bench/wire-floor.ts', String(server.port)]);
    const read = JSON.parse(bare.stdout.trim().split('\n').at(-1) ?? '') as { keys: number; seconds: number };
    if (read.keys < keys) throw new Error(`the bare channel read ${read.keys} of ${keys} keys`);
    floor.push(read.seconds);
    say(`round ${round + 1}: bare channel ${read.seconds.toFixed(2)} s`);
    for (const facts of ['basic', 'full'] as const) {
      const dir = await mkdtemp(join(tmpdir(), 'colonnade-bench-'));
      const { stdout } = await run(
        process.execPath,
        ['--import', 'tsx', 'bench/scan-once.ts', String(server.port), dir, facts, 'fast'],
        { env: { ...process.env, NODE_ENV: 'production' } },
      );
      const once = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Once;
      if (once.keys !== keys) throw new Error(`the snapshot holds ${once.keys} of ${keys} keys`);
      ours[facts].push(once);
      rmSync(dir, { recursive: true, force: true });
      say(`round ${round + 1}: ${facts} ${once.seconds.toFixed(2)} s, ${once.peakRssMiB.toFixed(0)} MiB`);
    }
  }
  const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
  const rate = (seconds: number[]) => Math.round(keys / median(seconds));
  const rediscliKeysPerSecond = rate(cli);
  const basicKeysPerSecond = rate(ours.basic.map((o) => o.seconds));
  const fullKeysPerSecond = rate(ours.full.map((o) => o.seconds));
  const wireFloorKeysPerSecond = rate(floor);
  const result = {
    bench: 'scan',
    keys,
    rediscliKeysPerSecond,
    basicKeysPerSecond,
    fullKeysPerSecond,
    ratioBasic: Number((basicKeysPerSecond / rediscliKeysPerSecond).toFixed(2)),
    ratioFull: Number((fullKeysPerSecond / rediscliKeysPerSecond).toFixed(2)),
    wireFloorKeysPerSecond,
    floorShare: Number((median(floor) / median(ours.full.map((o) => o.readSeconds))).toFixed(2)),
    sealedShare: Number((fullKeysPerSecond / wireFloorKeysPerSecond).toFixed(2)),
    sealSeconds: Number(median(ours.full.map((o) => o.sealSeconds)).toFixed(2)),
    bytesPerKey: Number((median(ours.full.map((o) => o.fileBytes)) / keys).toFixed(2)),
    peakRssMiB: Math.round(Math.max(...ours.basic.map((o) => o.peakRssMiB), ...ours.full.map((o) => o.peakRssMiB))),
  };
  const missed = findMissedBars(SCAN_BARS, result);
  const barred = Object.entries(SCAN_BARS).map(
    ([name, bar]) =>
      `${name} ${result[name as keyof typeof SCAN_BARS]} (${'min' in bar ? `at least ${bar.min}` : `at most ${bar.max}`})`,
  );
  say(`\n${barred.join(', ')}`);
  for (const bar of missed) say(`missed: ${bar}`);
  console.log(JSON.stringify({ ...result, missed }));
  if (missed.length > 0) process.exitCode = 1;
} finally {
  await server.stop();
}
