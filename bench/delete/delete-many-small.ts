/**
 * Measures what a deletion of many small keys costs: a million strings, hashes, sets, lists and sorted sets of a few
 * elements, planned from a snapshot, deleted with an archive and restored, while a separate process polls what the page
 * of the deletion polls.
 *   tsx bench/delete/delete-many-small.ts [--keys 1000000] [--mode archive] [--speed fast] [--json]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ROUTE_TABLE } from '@/app/api/routes';
import { getDeletion } from '@/lib/deletions/get-deletion';
import { makePlan } from '@/lib/deletions/make-plan';
import { startDeletion } from '@/lib/deletions/start-deletion';
import { undoDeletion } from '@/lib/deletions/undo-deletion';
import { answerRequest } from '@/lib/http/answer-request';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { PlanRequest } from '@/lib/model/deletions/plan-request';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { closeStore } from '@/lib/store/open-store';
import { openStand, type Stand } from '../../test/deletions/stand';
import { startRedis } from '../../test/servers/redis';

export interface ManySmall {
  keys: number;
  planSeconds: number;
  keysPerSecondPageOpen: number;
  undoKeysPerSecond: number;
  peakRssMiB: number;
  /** Delay of the event loop of this process, which serves the page and does the work: how long a request waits, ms. */
  eventLoopP99Ms: number;
  eventLoopMaxMs: number;
  /** How long the page waited for its answers, ms. */
  pageP99Ms: number;
  pageAnswers: number;
  archiveMiB: number;
  digestIdentical: boolean;
}

const ALL_STATES_MS = 30 * 60_000;

export async function manySmall(keys: number, mode = 'archive', speed = 'fast'): Promise<ManySmall> {
  const dir = mkdtempSync(join(tmpdir(), 'colonnade-bench-many-'));
  process.env.COLONNADE_DATA = dir;
  process.env.COLONNADE_SINGLE_USER = '1';
  process.env.COLONNADE_DELETE_MAX_KEYS = String(Math.max(keys, 1));
  const redis = await startRedis({ args: ['--enable-debug-command', 'yes'] });
  const client = redis.client();
  const stand = await openStand(redis);
  try {
    mkdirSync(join(dir, 'snapshots'), { recursive: true });
    const snapshotId = 'manysmallkeys';
    const scanned = join(dir, 'scanned');
    await inChild({ role: 'seed', port: String(redis.port), keys: String(keys), folder: scanned });
    const manifest = await readManifest(scanned);
    const folder = getSnapshotFolder(snapshotId);
    renameSync(scanned, folder);
    await writeManifest(folder, { ...manifest, id: snapshotId, instanceId: stand.instanceId });
    const digest = await client.call('DEBUG', 'DIGEST');

    // Peak memory of this process since it started, MiB.
    const rss = () => Math.round(process.resourceUsage().maxRSS / 1024);
    const selection = { by: 'filter', snapshotId, filter: {}, all: true };
    const options = { mode, speed };
    const planBegan = performance.now();
    const plan = await makePlan(
      LOCAL_ADMIN,
      PlanRequest.parse({ task: 'delete', instanceId: stand.instanceId, selection, options }),
    );
    const planSeconds = (performance.now() - planBegan) / 1000;
    process.stderr.write(`planned ${plan.totals.keys} keys in ${planSeconds.toFixed(1)} s, ${rss()} MiB\n`);

    const page = await openPage(plan.id);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const started = () =>
      startDeletion(LOCAL_ADMIN, { planId: plan.id, confirm: plan.phrase, consents: plan.consents }).then(
        ({ job }) => job?.id ?? '',
      );
    const removeSeconds = await timed(stand, started);
    process.stderr.write(
      `removed at ${Math.round(keys / removeSeconds)} keys/s, ${rss()} MiB, ${JSON.stringify(await counts(plan.id))}\n`,
    );
    const left = await client.dbsize();
    if (mode === 'archive' && left !== 0) throw new Error(`${left} keys are left.`);
    const { archiveBytes } = await getDeletion(LOCAL_ADMIN, plan.id);
    const undoSeconds = await timed(stand, () =>
      undoDeletion(LOCAL_ADMIN, plan.id, { restoreExpired: false }).then(({ job }) => job?.id ?? ''),
    );
    process.stderr.write(
      `undone at ${Math.round(keys / undoSeconds)} keys/s, ${rss()} MiB, ${JSON.stringify(await counts(plan.id))}\n`,
    );
    delay.disable();
    const observed = await page.close();
    return {
      keys,
      planSeconds: round(planSeconds),
      keysPerSecondPageOpen: Math.round(keys / removeSeconds),
      undoKeysPerSecond: Math.round(keys / undoSeconds),
      peakRssMiB: rss(),
      eventLoopP99Ms: round(delay.percentile(99) / 1e6),
      eventLoopMaxMs: round(delay.max / 1e6),
      ...observed,
      archiveMiB: Math.round(archiveBytes / 1024 / 1024),
      digestIdentical: (await client.call('DEBUG', 'DIGEST')) === digest,
    };
  } finally {
    await stand.close();
    await closeStore();
    await redis.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

const counts = async (id: string) => (await getDeletion(LOCAL_ADMIN, id)).counts;

async function timed(stand: Stand, start: () => Promise<string>): Promise<number> {
  const began = performance.now();
  const cpu = process.cpuUsage();
  await stand.until(await start(), ['succeeded'], ALL_STATES_MS);
  const { user, system } = process.cpuUsage(cpu);
  process.stderr.write(`${((user + system) / 1e6).toFixed(1)} s of processor time\n`);
  return (performance.now() - began) / 1000;
}

/** Serves the routes over HTTP in this process, as the product does, and starts their reader in another one. */
async function openPage(id: string): Promise<{ close(): Promise<{ pageP99Ms: number; pageAnswers: number }> }> {
  const server = createServer(async (asked, answered) => {
    const gone = new AbortController();
    answered.on('close', () => gone.abort());
    const { host = '' } = asked.headers;
    const request = new Request(`http://${host}${asked.url}`, { headers: { host }, signal: gone.signal });
    const response = await answerRequest(ROUTE_TABLE, request);
    answered.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body)
      Readable.fromWeb(response.body as ReadableStream)
        .on('error', () => {})
        .pipe(answered);
    else answered.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const reader = forkSelf({ role: 'page', url: `http://127.0.0.1:${port}/api`, id });
  return {
    async close() {
      const observed = new Promise<{ pageP99Ms: number; pageAnswers: number }>((resolve) =>
        reader.once('message', (message) => resolve(message as { pageP99Ms: number; pageAnswers: number })),
      );
      reader.send('stop');
      const answer = await observed;
      server.closeAllConnections();
      server.close();
      return answer;
    },
  };
}

const forkSelf = (env: Record<string, string>): ChildProcess =>
  fork(fileURLToPath(import.meta.url), [], { env: { ...process.env, MANY_SMALL: JSON.stringify(env) } });

function inChild(env: Record<string, string>): Promise<void> {
  const child = forkSelf(env);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`The child ended with ${code}.`))));
  });
}

/** One fifth of the keys has each type, with one to six elements; every third key has an expiry. */
const SEED = `for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  local k = 'app:' .. (i % 40) .. ':item:' .. i
  local n = i % 6 + 1
  if i % 5 == 0 then redis.call('SET', k, string.rep('v', i % 60 + 1))
  elseif i % 5 == 1 then for f = 1, n do redis.call('HSET', k, 'field' .. f, 'value' .. i) end
  elseif i % 5 == 2 then for f = 1, n do redis.call('SADD', k, 'member' .. f) end
  elseif i % 5 == 3 then for f = 1, n do redis.call('RPUSH', k, 'entry' .. f) end
  else for f = 1, n do redis.call('ZADD', k, f, 'member' .. f) end end
  if i % 3 == 0 then redis.call('EXPIRE', k, 864000) end
end`;

async function seed({ port, keys, folder }: Record<string, string>): Promise<void> {
  const { Redis } = await import('ioredis');
  const { scanToFolder } = await import('@/lib/scans/scan-to-folder');
  const { InstanceInput } = await import('@/lib/model/servers/instance');
  const { ScanOptions } = await import('@/lib/model/snapshots/scan');
  const client = new Redis({ port: Number(port), host: '127.0.0.1', protocol: 2 });
  for (let from = 0; from < Number(keys); from += 5_000)
    await client.eval(SEED, 0, from, Math.min(Number(keys), from + 5_000) - 1);
  client.disconnect();
  await scanToFolder({
    input: InstanceInput.parse({
      name: 'bench',
      topology: 'standalone',
      endpoints: [{ host: '127.0.0.1', port: Number(port) }],
    }),
    options: ScanOptions.parse({ speed: 'fast' }),
    profile: null,
    dir: folder ?? '',
    allowedDestinations: [],
    signal: new AbortController().signal,
    shouldStop: () => false,
    retryForMs: 60_000,
    onReport: () => {},
  });
  process.exit(0);
}

/**
 * Requests what the page of a running deletion requests: every second the deletion and fifty of its keys, also by
 * state, and all job events.
 */
async function readPage({ url = '', id = '' }: Record<string, string>): Promise<void> {
  let stopped = false;
  const times: number[] = [];
  process.on('message', () => {
    stopped = true;
  });
  const leave = new AbortController();
  const events = fetch(`${url}/jobs/events`, { signal: leave.signal })
    .then(async ({ body }) => {
      for await (const _ of body ?? []);
    })
    .catch(() => {});
  while (!stopped) {
    for (const path of ['', '/items?limit=50', '/items?state=done&limit=50']) {
      const began = performance.now();
      const response = await fetch(`${url}/deletions/${id}${path}`);
      if (!response.ok) throw new Error(`The page got ${response.status}: ${await response.text()}`);
      await response.json();
      times.push(performance.now() - began);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  leave.abort();
  await events;
  times.sort((a, b) => a - b);
  process.send?.({ pageP99Ms: round(times[Math.floor(times.length * 0.99)] ?? 0), pageAnswers: times.length });
  process.exit(0);
}

const round = (value: number) => Math.round(value * 10) / 10;

const part = process.env.MANY_SMALL ? (JSON.parse(process.env.MANY_SMALL) as Record<string, string>) : null;
if (part?.role === 'seed') await seed(part);
else if (part?.role === 'page') await readPage(part);
else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      keys: { type: 'string', default: '1000000' },
      mode: { type: 'string', default: 'archive' },
      speed: { type: 'string', default: 'fast' },
      json: { type: 'boolean', default: false },
    },
  });
  const row = await manySmall(Number(values.keys), values.mode, values.speed);
  process.stdout.write(`${JSON.stringify(row, null, values.json ? undefined : 2)}\n`);
  process.exit(0);
}
