/**
 * Kills the scanning process at random moments, again and again, while other keys are added and deleted, and compares
 * the sealed snapshot with the real keys: every key that existed throughout is in it exactly once.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { KeyFilter } from '@/lib/model/filter';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { streamKeyExport } from '@/lib/snapshots/reports/export/stream-key-export';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { startRedis } from '../test/servers/redis';
import { mixedKey, pour, seedMixed } from '../test/servers/seed';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '1000000' },
    kills: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
});
const keys = Number(values.keys);
const wanted = Number(values.kills);
const say = (text: string) => values.json || console.log(text);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const server = await startRedis();
const dir = await mkdtemp(join(tmpdir(), 'colonnade-resume-'));
let child: ChildProcess | null = null;
try {
  const client = server.client();
  await seedMixed(client, keys);
  let churning = true;
  let round = 0;
  const churn = (async () => {
    while (churning) {
      const mine = round++;
      await pour(
        client,
        [...Array(400).keys()].map((i) => ['SET', `churn:${mine % 40}:${i}`, 'x']),
      );
      if (mine > 5)
        await pour(
          client,
          [...Array(400).keys()].map((i) => ['DEL', `churn:${(mine - 5) % 40}:${i}`]),
        );
      await sleep(20);
    }
  })();

  let kills = 0;
  let peakRssMiB = 0;
  for (;;) {
    child = spawn(
      process.execPath,
      ['--import', 'tsx', 'bench/scan-once.ts', String(server.port), dir, 'full', 'balanced'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let output = '';
    child.stdout?.on('data', (data) => {
      output += data;
    });
    const ended = new Promise<number | null>((resolve) => child?.once('exit', (code) => resolve(code)));
    const pid = child.pid ?? 0;
    const watch = setInterval(async () => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      peakRssMiB = Math.max(peakRssMiB, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    }, 50);
    // At first the process starts up; later it reads, closes parts and seals.
    if (kills < wanted) {
      const killed = await Promise.race([sleep(900 + Math.random() * 1500).then(() => true), ended.then(() => false)]);
      if (killed) {
        child.kill('SIGKILL');
        kills++;
      }
    }
    const code = await ended;
    clearInterval(watch);
    if (code === 0) {
      peakRssMiB = Math.max(peakRssMiB, JSON.parse(output.trim().split('\n').at(-1) ?? '{}').peakRssMiB ?? 0);
      if (kills >= wanted) break;
      // The scan finished before there were enough kills, so a new scan is started.
      say(`finished after ${kills} kills; again`);
      await rm(dir, { recursive: true, force: true });
    } else if (code !== null) throw new Error(`the scan ended with ${code}`);
    else say(`kill ${kills}`);
  }
  churning = false;
  await churn;

  const manifest = await readManifest(dir);
  const seen = new Map<string, number>();
  const { stream } = await streamKeyExport({ dir, manifest }, KeyFilter.parse({}), 'jsonl');
  let rest = '';
  let rows = 0;
  for await (const chunk of stream.pipeThrough<string>(new TextDecoderStream() as never)) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { name } = JSON.parse(line) as { name: string };
      seen.set(name, (seen.get(name) ?? 0) + 1);
      rows++;
    }
  }
  let missing = 0;
  let duplicates = 0;
  for (let i = 0; i < keys; i++) {
    if (!seen.has(mixedKey(i).key)) missing++;
  }
  for (const [name, count] of seen) if (count > 1 && name) duplicates += count - 1;
  const { report } = await runReport({ dir, manifest }, 'overview', {});
  const types = report.types.reduce((sum, type) => sum + type.keys, 0);
  // Number of keys by first segment, counted without code of Colonnade.
  const truth = new Map<string, number>();
  for (let i = 0; i < keys; i++) {
    const segment = mixedKey(i).key.split(':')[0] ?? '';
    truth.set(segment, (truth.get(segment) ?? 0) + 1);
  }
  const { report: root } = await runReport({ dir, manifest }, 'tree', { limit: 1000 });
  const counted = new Map(root.children.map((child) => [child.segment, child.keys]));
  const segmentsEqual = [...truth].every(([segment, count]) => counted.get(segment) === count);
  const totalsEqual = report.keys === rows && types === rows && manifest.keys === rows && segmentsEqual;
  const result = {
    bench: 'resume',
    keys,
    kills,
    missing,
    duplicates,
    totalsEqual,
    rows,
    restarts: manifest.coverage.restarts,
    peakRssMiB: Math.round(peakRssMiB),
  };
  console.log(JSON.stringify(result));
} finally {
  child?.kill('SIGKILL');
  await server.stop();
  await rm(dir, { recursive: true, force: true });
}
