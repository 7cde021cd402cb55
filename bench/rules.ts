/**
 * Every key rule of the catalogue on a generated snapshot (10M keys by default): the pass over all keys as it runs at
 * sealing, then the routes of findings and of lists by rule through the production server. The data folder is that of
 * the `reports` bench.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeRollup } from '@/lib/findings/evaluate/write-rollup';
import { prepare } from '@/lib/findings/findings-of';
import { compilePolicy, policyFacts } from '@/lib/findings/policy/compile-policy';
import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import { rulesFolder } from '@/lib/findings/policy/rules-folder';
import type { FindingsReport } from '@/lib/model/rules/findings';
import { presets } from '@/lib/rules/profiles/presets';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { withSource } from '@/lib/snapshots/query/with-source';
import { closeStore } from '@/lib/store/open-store';
import { putAssignmentRow } from '@/lib/store/policies/assignments';
import { putProfileRow } from '@/lib/store/policies/profiles';
import { freePort, sleep, startChild } from '../test/servers/process';
import { generateSnapshot, peakRss } from './generate-snapshot';
import { registerSnapshot } from './register-snapshot';

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
const ID = 'benchsnapshot';
const INSTANCE = 'benchinstance';
const dir = join(data, 'snapshots', ID);
process.env.COLONNADE_DATA = data;

await mkdir(join(data, 'snapshots'), { recursive: true });
const found = existsSync(join(dir, 'snapshot.json')) ? await readManifest(dir) : null;
if (found?.keys !== keys) {
  say(`generating ${keys} keys`);
  await generateSnapshot(dir, keys, false);
  await writeManifest(dir, { ...(await readManifest(dir)), id: ID, instanceId: INSTANCE });
}
await registerSnapshot(ID, INSTANCE, keys);

const body = presets.get('default')!;
const every = Object.entries(body.rules).map(([id, setting]) => [id, { ...setting, on: true }] as const);
// With this number bigkeys are those whose answers the other bench has computed ahead.
const usual = ['V2', { ...body.rules.V2!, on: true, params: { bytes: 1024 * 1024 } }] as const;
await putProfileRow({
  id: 'every',
  body: { ...body, name: 'Every rule', rules: Object.fromEntries([...every, usual]) },
  updatedAt: Date.now(),
});
await putAssignmentRow(INSTANCE, { profileId: 'every', prefixes: [] });
const policy = await effectivePolicy(INSTANCE);
const manifest = await readManifest(dir);
const compiled = compilePolicy(policy, policyFacts(manifest));
const rules = compiled.profiles[compiled.base]!.keyRules.length;
await rm(rulesFolder(dir, policy.hash), { recursive: true, force: true });
// Sealing has just written the file with the same database: it is open and knows the file.
await withSource({ dir, manifest }, (source) => source.query(`SELECT count(*) FROM ${source.keys}`));
const watch = peakRss();
const scratch = join(dir, `rules-bench.${process.pid}.tmp`);
await mkdir(scratch, { recursive: true });
const began = performance.now();
await withSource({ dir, manifest }, (source) => writeRollup(source, compiled, scratch), { timeoutMs: 600_000 });
const seconds = Math.round((performance.now() - began) / 10) / 100;
await rm(scratch, { recursive: true, force: true });
say(`${rules} key rules over ${keys} keys in ${seconds} s`);
const { meta } = await prepare({ dir, manifest }, policy);
say(`with groups and files ${((meta?.evaluatedInMs ?? 0) / 1000).toFixed(1)} s`);
const passRssMiB = watch();
await closeStore();

const port = await freePort();
const settings = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  HOSTNAME: '127.0.0.1',
  PORT: String(port),
  COLONNADE_DATA: data,
};
const server = startChild(
  '/usr/bin/env',
  [...Object.entries(settings).map(([k, v]) => `${k}=${v}`), process.execPath, resolve('.next/standalone/server.js')],
  data,
);
try {
  const origin = `http://127.0.0.1:${port}`;
  const alive = () =>
    fetch(`${origin}/api/health`).then(
      (r) => r.ok,
      () => false,
    );
  while (!(await alive())) await sleep(100);
  while (!existsSync(join(dir, 'answers-2', 'done'))) await sleep(500);
  const ask = async <T>(report: string, query: Record<string, string>): Promise<{ ms: number; report: T }> => {
    const start = performance.now();
    const response = await fetch(`${origin}/api/snapshots/${ID}/reports/${report}?${new URLSearchParams(query)}`);
    const body = (await response.json()) as { report: T };
    if (!response.ok) throw new Error(`${report}: ${JSON.stringify(body)}`);
    return { ms: performance.now() - start, report: body.report };
  };
  const whole = await ask<FindingsReport>('findings', {});
  const broken = whole.report.rules.filter((rule) => rule.status === 'violated');
  const samples: { what: string; ms: number }[] = [];
  const measure = async (report: string, query: Record<string, string>) => {
    // Another limit makes a question of its own, so that what was just answered is not merely repeated.
    samples.push({ what: `${report} ${JSON.stringify(query)}`, ms: (await ask(report, query)).ms });
  };
  for (const scope of [{}, { template: 'shop:' }, { template: 'shop:user:{int}:' }] as Record<string, string>[]) {
    for (const limit of ['40', '41']) await measure('findings', { ...scope, limit });
    for (const { rule, kind } of broken) {
      await measure(`findings/${rule}`, { ...scope, limit: '40' });
      if (kind === 'key') await measure('keys', { ...scope, rule, limit: '50' });
    }
  }
  samples.sort((a, b) => a.ms - b.ms);
  const routeP95Ms = Math.round(samples[Math.ceil(samples.length * 0.95) - 1]!.ms * 10) / 10;
  for (const { what, ms } of samples.slice(-6)) say(`${ms.toFixed(0)} ms ${what}`);
  const peakRssMiB = Math.max(passRssMiB, (await serverPeakMiB()) ?? 0);
  console.log(JSON.stringify({ bench: 'rules', keys, rules, seconds, routeP95Ms, peakRssMiB }));
} finally {
  server.kill('SIGTERM');
  await server.exited;
}

async function serverPeakMiB(): Promise<number | null> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => '');
  const kib = /VmHWM:\s+(\d+)/.exec(status)?.[1];
  return kib === undefined ? null : Math.round(Number(kib) / 1024);
}
