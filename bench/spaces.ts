/**
 * Tests hostile keyspaces (hostile-spaces.ts): seals one, requests every report about the whole of it and evaluates it
 * with the default profile, each step in a separate process whose peak memory is reported. A step that does not fit
 * into memory must answer `too_large` and leave the process working: each step ends with a request that always fits.
 *   tsx bench/spaces.ts --keys 1000000 [--space flat] [--step seal|rules|<report>] [--json]
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '@/lib/model/errors';
import { REPORTS } from '@/lib/model/reports/registry';
import type { ReportName } from '@/lib/model/reports/reports';
import { evaluate } from '@/lib/rules/evaluate/evaluate';
import { compilePolicy, toPolicyFacts } from '@/lib/rules/policy/compile-policy';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { generateSnapshot, peakRss } from './keyspaces/generate-snapshot';
import { keyOfSpace, SPACES } from './keyspaces/hostile-spaces';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '1000000' },
    data: { type: 'string', default: join(tmpdir(), 'colonnade-bench-spaces') },
    space: { type: 'string' },
    step: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const keys = Number(values.keys);
const spaces = SPACES.filter((name) => values.space === undefined || values.space === name);
const STEPS = ['seal', 'rules', ...REPORTS];
const rounded = (n: number) => Math.round(n * 100) / 100;

export interface Figures {
  space: string;
  step: string;
  seconds: number;
  cpuSeconds: number;
  /** null: the step succeeded; else the code of the error. */
  code: string | null;
  peakRssMiB: number;
}

if (values.space !== undefined && values.step !== undefined) console.log(JSON.stringify(await take(values.step)));
else {
  const rows: Figures[] = [];
  for (const space of spaces) {
    for (const step of STEPS) {
      const child = spawnSync(
        process.execPath,
        [
          '--import',
          'tsx',
          import.meta.filename,
          '--keys',
          String(keys),
          '--data',
          values.data,
          '--space',
          space,
          '--step',
          step,
        ],
        { encoding: 'utf8', env: { ...process.env, COLONNADE_DATA: join(resolve(values.data), space) } },
      );
      const last = child.stdout.trim().split('\n').at(-1) ?? '';
      if (child.status !== 0 || !last.startsWith('{')) throw new Error(`${space} ${step}: ${child.stderr}`);
      const row = JSON.parse(last) as Figures;
      rows.push(row);
      if (!values.json)
        console.log(
          `${space.padEnd(9)} ${step.padEnd(9)} ${row.seconds.toFixed(2).padStart(7)} s ${row.cpuSeconds.toFixed(2).padStart(7)} CPU s ${String(row.peakRssMiB).padStart(5)} MiB  ${row.code ?? ''}`,
        );
    }
  }
  const peakRssMiB = Math.max(...rows.map((row) => row.peakRssMiB));
  console.log(JSON.stringify({ bench: 'spaces', keys, rows, peakRssMiB }));
}

async function take(step: string): Promise<Figures> {
  const space = spaces[0]!;
  const dir = join(resolve(values.data), space, 'snapshots', `made${keys}`);
  const watch = peakRss();
  const before = process.cpuUsage();
  const began = performance.now();
  let code: string | null = null;
  try {
    await runStep(step, dir, space);
  } catch (error) {
    // An error without a code is a defect of Colonnade; its first words say which.
    code = error instanceof AppError ? error.code : `unmapped: ${String(error).slice(0, 80)}`;
  }
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  // The next request must succeed whatever happened to this one.
  if (step !== 'seal') await runReport({ dir, manifest: await readManifest(dir) }, 'keys', { limit: 1 });
  return {
    space,
    step,
    seconds: rounded(seconds),
    cpuSeconds: rounded((user + system) / 1e6),
    code,
    peakRssMiB: watch(),
  };
}

async function runStep(step: string, dir: string, space: (typeof SPACES)[number]): Promise<void> {
  if (step === 'seal') {
    if (existsSync(join(dir, 'snapshot.json'))) return;
    await mkdir(dir, { recursive: true });
    await generateSnapshot(dir, keys, false, keyOfSpace(space));
    return;
  }
  const ref = { dir, manifest: await readManifest(dir) };
  if (step === 'rules') await evaluate(ref, compilePolicy(await getEffectivePolicy(null), toPolicyFacts(ref.manifest)));
  else await runReport(ref, step as ReportName, {});
}
