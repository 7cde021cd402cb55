/**
 * `npm run verify`: the checks that must pass before a commit. Prints one line per step, and the output of a step only
 * if it fails.
 */
import { ensurePackages } from './ensure/packages.mjs';
import { note, run } from './run.mjs';

const node = (...args) =>
  run(process.execPath, args, { quiet: true, env: { CI: '1', NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1' } });
const BIOME = 'node_modules/@biomejs/biome/bin/biome';

async function checkTypes() {
  // Generates the types of routes and of imported styles, which a fresh clone does not have.
  const generated = await node('node_modules/next/dist/bin/next', 'typegen');
  if (generated.code !== 0) return generated;
  const checked = await node('node_modules/typescript/bin/tsc', '--noEmit', '-p', '.');
  return { ...checked, seconds: checked.seconds + generated.seconds };
}

const steps = {
  format: () => node(BIOME, 'format', '.'),
  lint: () => node(BIOME, 'check', '--formatter-enabled=false', '.'),
  architecture: () => node('scripts/architecture.mjs'),
  unused: () => node('node_modules/knip/bin/knip.js', '--include', 'files,dependencies,unlisted,unresolved'),
  types: checkTypes,
  unit: () => node('node_modules/vitest/vitest.mjs', 'run', '--project', 'unit*'),
};

/** Runs one step and prints its line. Returns whether it failed. */
async function runStep(name) {
  const result = await steps[name]();
  const failed = result.code !== 0;
  if (failed) process.stdout.write(`${result.output.trimEnd()}\n`);
  const closing = result.output.match(/^\d+ passed, \d+ failed, \d+ skipped$/m)?.[0] ?? '';
  process.stdout.write(
    `${failed ? 'FAIL' : 'ok  '} ${name.padEnd(12)} ${result.seconds.toFixed(1).padStart(5)} s  ${closing}\n`,
  );
  return failed;
}

export async function verify() {
  const started = performance.now();
  // The compiler uses one core; the other checks share the rest and run one after the other.
  const compiled = runStep('types');
  const failed = [];
  for (const name of ['format', 'lint', 'architecture', 'unused', 'unit']) failed.push(await runStep(name));
  failed.push(await compiled);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const failures = failed.filter(Boolean).length;
  process.stdout.write(
    `verify: ${failures === 0 ? 'all green' : `${failures} of ${failed.length} steps failed`} in ${seconds} s\n`,
  );
  return failures === 0;
}

if (process.argv[1] === import.meta.filename) {
  await ensurePackages();
  if (!(await verify())) {
    note('`npm run format` repairs format and imports.');
    process.exit(1);
  }
}
