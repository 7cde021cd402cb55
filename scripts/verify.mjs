/**
 * `npm run verify`: the checks that must pass before a commit. Prints one line per step, and the output of a step only
 * if it fails.
 */
import { ensurePackages } from './ensure/packages.mjs';
import { note, run } from './run.mjs';

const node = (...args) =>
  run(process.execPath, args, { quiet: true, env: { CI: '1', NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1' } });
const BIOME = 'node_modules/@biomejs/biome/bin/biome';

async function types() {
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
  types,
  unit: () => node('node_modules/vitest/vitest.mjs', 'run', '--project', 'unit*'),
};

async function take(name) {
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
  const compiled = take('types');
  const failed = [];
  for (const name of ['format', 'lint', 'architecture', 'unused', 'unit']) failed.push(await take(name));
  failed.push(await compiled);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const broken = failed.filter(Boolean).length;
  process.stdout.write(
    `verify: ${broken === 0 ? 'all green' : `${broken} of ${failed.length} steps failed`} in ${seconds} s\n`,
  );
  return broken === 0;
}

if (process.argv[1] === import.meta.filename) {
  await ensurePackages();
  if (!(await verify())) {
    note('`npm run format` repairs format and imports.');
    process.exit(1);
  }
}
