/**
 * Measures every key rule of the catalogue on a generated snapshot (10M keys by default): the pass over all keys as
 * sealing runs it (rules-pass.ts), the evaluation of hostile keyspaces (spaces.ts), then the routes of findings and of
 * lists by rule through the production server. The data folder is that of the `reports` bench. Exits with 1 if a limit
 * is missed.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { FindingsReport } from '@/lib/model/rules/findings';
import { presets } from '@/lib/rules/profiles/presets';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { getRollupMetaFile } from '@/lib/snapshots/rollup/rollup-folder';
import { closeStore } from '@/lib/store/open-store';
import { putAssignmentRow } from '@/lib/store/policies/assignments';
import { putProfileRow } from '@/lib/store/policies/profiles';
import { freePort, sleep } from '../test/servers/process';
import { startServer, untilHealthy } from '../test/servers/production-server';
import { findMissedBars, rulesBars } from './figures/bars';
import { readRssPeak } from './figures/peak-rss';
import { generateSnapshot } from './keyspaces/generate-snapshot';
import { registerSnapshot } from './keyspaces/register-snapshot';
import type { RulesPass } from './rules-pass';
import type { Figures } from './spaces';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '10000000' },
    data: { type: 'string', default: join(tmpdir(), 'colonnade-bench-reports') },
    json: { type: 'boolean', default: false },
  },
});
const say = (text: string) => values.json || console.log(text);
const keys = Number(values.keys);
const data = resolve(values.data);
/** Keyspaces with nothing to group by, or with a group for every key; `share` is the share of `--keys`. */
const ROWS = [
  { row: 'flat', space: 'words', share: 0.5 },
  { row: 'user_n', space: 'flat', share: 1 },
  { row: 'tags', space: 'tags', share: 0.5 },
];
const ID = 'benchsnapshot';
const INSTANCE = 'benchinstance';
const dir = join(data, 'snapshots', ID);
process.env.COLONNADE_DATA = data;

await mkdir(join(data, 'snapshots'), { recursive: true });
const found = existsSync(join(dir, 'snapshot.json')) ? await readManifest(dir) : null;
if (found?.keys !== keys) {
  say(`generating ${keys} keys`);
  await generateSnapshot(dir, keys, false);
  await writeManifest(dir, { ...(await readManifest(dir)), instanceId: INSTANCE });
}
await registerSnapshot(ID, INSTANCE, keys);

const body = presets.get('default')!;
const every = Object.entries(body.rules).map(([id, setting]) => [id, { ...setting, on: true }] as const);
// With this threshold the bigkeys are those whose answers the other bench has already computed.
const usual = ['V2', { ...body.rules.V2!, on: true, params: { bytes: 1024 * 1024 } }] as const;
await putProfileRow({
  id: 'every',
  body: { ...body, name: 'Every rule', rules: Object.fromEntries([...every, usual]) },
  updatedAt: Date.now(),
});
await putAssignmentRow(INSTANCE, { profileId: 'every', prefixes: [] });
await closeStore();
const own = ['--dir', dir, '--instance', INSTANCE];
const pass = lastLine<RulesPass>('rules-pass.ts', own);
say(
  `${pass.rules} key rules over ${keys} keys in ${pass.seconds} s (${pass.cpuSeconds} CPU s), ${pass.peakRssMiB} MiB`,
);
say(
  `with groups and files ${pass.evaluatedSeconds} s; after a changed rule about names ${pass.changedNameRuleSeconds} s`,
);
const rows: ({ row: string; keys: number } & Pick<Figures, 'seconds' | 'cpuSeconds' | 'code' | 'peakRssMiB'>)[] = [];
for (const { row, space, share } of ROWS) {
  const made = String(Math.round(keys * share));
  const folder = join(data, 'hostile');
  const options = ['--keys', made, '--data', folder, '--space', space];
  process.env.COLONNADE_DATA = join(folder, space);
  lastLine('spaces.ts', [...options, '--step', 'seal']);
  const { seconds, cpuSeconds, code, peakRssMiB } = lastLine<Figures>('spaces.ts', [...options, '--step', 'rules']);
  rows.push({ row, keys: Number(made), seconds, cpuSeconds, code, peakRssMiB });
  say(`${row}: ${made} keys in ${seconds} s (${cpuSeconds} CPU s), ${peakRssMiB} MiB ${code ?? ''}`);
  await rm(folder, { recursive: true, force: true });
}
process.env.COLONNADE_DATA = data;

const port = await freePort();
const server = startServer(port, data);
try {
  const origin = `http://127.0.0.1:${port}`;
  await untilHealthy(server, port, 600);
  while (!existsSync(getRollupMetaFile(dir))) await sleep(200);
  const ask = async <T>(report: string, query: Record<string, string>): Promise<{ ms: number; report: T }> => {
    const start = performance.now();
    const response = await fetch(`${origin}/api/snapshots/${ID}/reports/${report}?${new URLSearchParams(query)}`);
    const body = (await response.json()) as { report: T };
    if (!response.ok) throw new Error(`${report}: ${JSON.stringify(body)}`);
    return { ms: performance.now() - start, report: body.report };
  };
  const whole = await ask<FindingsReport>('findings', {});
  const violated = whole.report.rules.filter((rule) => rule.status === 'violated');
  const samples: { what: string; ms: number }[] = [];
  const measure = async (report: string, query: Record<string, string>) => {
    // Another limit makes this a different request, so that the previous answer is not merely repeated.
    samples.push({ what: `${report} ${JSON.stringify(query)}`, ms: (await ask(report, query)).ms });
  };
  for (const scope of [{}, { template: 'shop:' }, { template: 'shop:user:{int}:' }] as Record<string, string>[]) {
    for (const limit of ['40', '41']) await measure('findings', { ...scope, limit });
    for (const { rule, kind } of violated) {
      await measure(`findings/${rule}`, { ...scope, limit: '40' });
      if (kind === 'key') await measure('keys', { ...scope, rule, limit: '50' });
    }
  }
  samples.sort((a, b) => a.ms - b.ms);
  const routeP95Ms = Math.round(samples[Math.ceil(samples.length * 0.95) - 1]!.ms * 10) / 10;
  for (const { what, ms } of samples.slice(-6)) say(`${ms.toFixed(0)} ms ${what}`);
  const serverRssMiB = readRssPeak(server.programs().web);
  const peakRssMiB = Math.max(pass.peakRssMiB, serverRssMiB ?? 0);
  const missed = findMissedBars(rulesBars(keys), {
    ...pass,
    routeP95Ms,
    peakRssMiB: Math.max(peakRssMiB, ...rows.map((row) => row.peakRssMiB)),
  });
  for (const { row, code } of rows) if (code !== null) missed.push(`${row}: ${code}`);
  for (const bar of missed) say(`missed: ${bar}`);
  console.log(JSON.stringify({ bench: 'rules', keys, ...pass, routeP95Ms, serverRssMiB, peakRssMiB, rows, missed }));
  if (missed.length > 0) process.exitCode = 1;
} finally {
  server.kill('SIGTERM');
  await server.exited;
}

/** Runs another file of this folder; the last line of its output is a JSON object. */
function lastLine<T>(file: string, args: readonly string[]): T {
  const script = join(import.meta.dirname, file);
  const child = spawnSync(process.execPath, ['--import', 'tsx', script, ...args], { encoding: 'utf8' });
  const last = child.stdout.trim().split('\n').at(-1) ?? '';
  if (child.status !== 0 || !last.startsWith('{')) throw new Error(`${file} ${args.join(' ')}: ${child.stderr}`);
  return JSON.parse(last) as T;
}
