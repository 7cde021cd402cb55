/**
 * Measures how fast the channel alone is: it reads pages of facts from a real server and stores nothing, compared with
 * `redis-cli --bigkeys` in the same run. The two take turns and medians are compared, so that a busy machine slows
 * both. `--port` measures a server that runs already (it is only read); otherwise one is started and seeded.
 */
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import type { PartitionInput } from '@/lib/redis/scan/scan-batch';
import { scanPartition } from '@/lib/redis/scan/scan-partition';
import { createNodeThrottle } from '@/lib/redis/throttle/throttle';
import { startRedis } from '../test/servers/redis';
import { ALL_ALLOWED, socketOnly } from '../test/servers/scan-session';
import { seedMixed } from '../test/servers/seed';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    speed: { type: 'string', default: 'fast' },
    port: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const server = values.port === undefined ? await startRedis() : null;
const port = Number(values.port ?? server?.port);
const address = `127.0.0.1:${port}`;
const session = socketOnly({ host: '127.0.0.1', port });

async function readOnce(facts: 'basic' | 'full') {
  const throttle = createNodeThrottle(values.speed as 'fast');
  const input: PartitionInput = {
    session,
    node: 0,
    address,
    role: 'master',
    clustered: false,
    db: 0,
    cursor: '0',
    facts,
    capabilities: ALL_ALLOWED,
    matchPrefix: null,
    throttle,
    signal: new AbortController().signal,
  };
  const cpu = process.cpuUsage();
  const before = performance.now();
  let keys = 0;
  for await (const batch of scanPartition(input)) keys += batch.page.count;
  const seconds = (performance.now() - before) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const cpuSeconds = (user + system) / 1e6;
  return { keys, seconds, keysPerSecond: keys / seconds, cpuSeconds, count: throttle.count(), ...throttle.stats };
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const say = (text: string) => values.json || console.log(text);
try {
  if (server) {
    await seedMixed(server.client(), Number(values.keys));
    say(`seeded ${values.keys} keys`);
  }
  const rates = { cli: [] as number[], basic: [] as number[], full: [] as number[] };
  for (let round = 0; round < Number(values.rounds); round++) {
    let keys = 0;
    for (const facts of ['basic', 'full'] as const) {
      if (values.only && values.only !== facts) continue;
      const once = await readOnce(facts);
      keys = once.keys;
      rates[facts].push(once.keysPerSecond);
      say(
        `${facts}: ${Math.round(once.keysPerSecond)} keys/s, own CPU ${once.cpuSeconds.toFixed(2)} s of ${once.seconds.toFixed(2)} s, ${once.keys} keys, ${(once.commands / once.keys).toFixed(2)} commands per key, COUNT ${once.count}`,
      );
    }
    if (values.only) continue;
    const before = performance.now();
    await promisify(execFile)('redis-cli', ['-p', String(port), '--bigkeys'], { maxBuffer: 64 << 20 });
    rates.cli.push((keys * 1000) / (performance.now() - before));
    say(`redis-cli --bigkeys: ${Math.round(rates.cli.at(-1) ?? 0)} keys/s`);
  }
  const [rediscli, basic, full] = [median(rates.cli), median(rates.basic), median(rates.full)].map(Math.round);
  const result = {
    bench: 'channel',
    keys: Number(values.keys),
    rediscliKeysPerSecond: rediscli,
    basicKeysPerSecond: basic,
    fullKeysPerSecond: full,
    ratioBasic: Number(((basic ?? 0) / (rediscli ?? 0)).toFixed(2)),
    ratioFull: Number(((full ?? 0) / (rediscli ?? 0)).toFixed(2)),
    peakRssMiB: Math.round(process.resourceUsage().maxRSS / 1024),
  };
  console.log(JSON.stringify(result));
} finally {
  await server?.stop();
}
