/**
 * Evaluates the rules on one snapshot, in a separate process so that its memory can be measured (rules.ts starts it):
 *   tsx bench/rules-pass.ts --dir <snapshot> --instance <id>
 * First it runs the pass over all keys as sealing does, then the whole evaluation with groups and files, then the whole
 * evaluation again after one number of a rule about names was changed.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeRollup } from '@/lib/rules/evaluate/write-rollup';
import { ensureEvaluated } from '@/lib/rules/findings/read-findings';
import { type CompiledPolicy, compilePolicy, toPolicyFacts } from '@/lib/rules/policy/compile-policy';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { getRulesFolder } from '@/lib/rules/policy/rules-folder';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { withSource } from '@/lib/snapshots/query/with-source';
import { closeStore } from '@/lib/store/open-store';
import { peakRss } from './keyspaces/generate-snapshot';

export interface RulesPass {
  rules: number;
  seconds: number;
  cpuSeconds: number;
  /** Includes the rules about groups and writing all files. */
  evaluatedSeconds: number;
  changedNameRuleSeconds: number;
  peakRssMiB: number;
}

const { values } = parseArgs({ options: { dir: { type: 'string' }, instance: { type: 'string' } } });
const dir = resolve(values.dir!);
const manifest = await readManifest(dir);
const policy = await getEffectivePolicy(values.instance!);
const compiled = compilePolicy(policy, toPolicyFacts(manifest));
const rounded = (ms: number) => Math.round(ms / 10) / 100;

async function pass(of: CompiledPolicy): Promise<number> {
  const scratch = join(dir, `rules-bench.${process.pid}.tmp`);
  await mkdir(scratch, { recursive: true });
  const began = performance.now();
  await withSource({ dir, manifest }, (source) => writeRollup(source, of, scratch), { timeoutMs: 600_000 });
  const ms = performance.now() - began;
  await rm(scratch, { recursive: true, force: true });
  return ms;
}

const watch = peakRss();
// Sealing has just written the files with the same database, so they are already open there.
await withSource({ dir, manifest }, (source) => source.query(`SELECT count(*) FROM ${source.keys}`));
const before = process.cpuUsage();
const seconds = rounded(await pass(compiled));
const { user, system } = process.cpuUsage(before);
await rm(getRulesFolder(dir, policy.hash), { recursive: true, force: true });
const { meta } = await ensureEvaluated({ dir, manifest }, policy);
const base = policy.profiles[policy.base]!;
const { N16 } = base.body.rules;
const changed = { ...base.body.rules, N16: { ...N16!, params: { ...N16!.params, atMost: 33 } } };
const profiles = policy.profiles.map((one) => (one === base ? { ...one, body: { ...one.body, rules: changed } } : one));
const changedPolicy = { ...policy, profiles, hash: 'f'.repeat(16) };
await rm(getRulesFolder(dir, changedPolicy.hash), { recursive: true, force: true });
const changedAt = performance.now();
await ensureEvaluated({ dir, manifest }, changedPolicy);
const changedNameRuleSeconds = rounded(performance.now() - changedAt);
await closeStore();
const figures: RulesPass = {
  rules: compiled.profiles[compiled.base]!.keyRules.length,
  seconds,
  cpuSeconds: rounded((user + system) / 1000),
  evaluatedSeconds: rounded(meta?.evaluatedInMs ?? 0),
  changedNameRuleSeconds,
  peakRssMiB: watch(),
};
console.log(JSON.stringify(figures));
