/**
 * How many small mistakes do the tests find? Draws mutations of product code with a fixed seed (operators flipped,
 * conditions negated, returns emptied) and checks for each whether `npm test` fails, and if not, whether `npm run
 * test:all` does. Browser tests and PostgreSQL are excluded from both.
 *
 *   node scripts/mutate.mjs --folder /tmp/mutants [--count 100] [--seed 1]
 *
 * The folder gets a copy of the committed tree in which every mutation is compiled in next to the original code and
 * switched on by an environment variable. The first run records which test files reach which mutation; after that only
 * the files that reach a mutation are run for it, the quickest first. An interrupted run continues where it stopped.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { draw } from './mutate/draw.mjs';
import { root, stop } from './run.mjs';

/** Code that says whether mutation `n` is on and records which test file reached it, also in processes of the test. */
const SWITCH = `const asked = new Set(), fs = process.getBuiltinModule('node:fs');
export function mutant(n) {
  const { MUTANT, MUTANT_TRACE, MUTANT_TEST } = process.env;
  if (MUTANT_TRACE && !asked.has(MUTANT_TEST + n)) {
    asked.add(MUTANT_TEST + n);
    fs.appendFileSync(MUTANT_TRACE, JSON.stringify({ n, test: MUTANT_TEST }) + '\\n');
  }
  return MUTANT === String(n);
}\n`;
const SETUP = `import { expect } from 'vitest';
process.env.MUTANT_TEST = expect.getState().testPath?.slice(process.cwd().length + 1);\n`;

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
const folder = values.folder ?? stop('--folder names a folder for the copy and the results, outside of the project.');
const copy = join(folder, 'copy');
const results = join(folder, 'results.jsonl');
/** The file that lists which tests reach which mutations. */
const traceFile = (form) => join(folder, `reached-${form}.jsonl`);
const readLines = (file) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/** Copies the committed tree and adds all mutations to it, each switched off. */
function prepare(mutations) {
  mkdirSync(copy, { recursive: true });
  execFileSync('sh', ['-c', `git archive HEAD | tar -x -C '${copy}'`], { cwd: root });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'lib/mutant.ts'), SWITCH);
  for (const setup of ['test/patient-queries.ts', 'test/servers/patient-latency.ts'])
    writeFileSync(join(copy, setup), `${SETUP}${readFileSync(join(root, setup), 'utf8')}`);
  for (const file of new Set(mutations.map(({ file }) => file))) {
    let text = readFileSync(join(root, file), 'utf8');
    const mutationsOfFile = mutations.filter((mutation) => mutation.file === file).sort((a, b) => b.start - a.start);
    for (const { n, start, end, instead } of mutationsOfFile)
      text = `${text.slice(0, start)}(mutant(${n}) ? ${instead} : ${text.slice(start, end)})${text.slice(end)}`;
    writeFileSync(join(copy, file), `import { mutant } from '@/lib/mutant';\n${text}`);
  }
}

const vitest = (env, ...args) =>
  spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', ...args, '--run', '--project', 'unit*', '--project', 'integration*'],
    {
      cwd: copy,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 3_600_000,
    },
  ).status === 0;

/**
 * Records which test files reach which mutation, and the time of each file. A file that fails without a mutation is
 * excluded.
 */
function recordReach(form, env) {
  const report = join(folder, `report-${form}.json`);
  const only =
    form === 'long'
      ? [
          'related',
          'test/long-form.mjs',
          ...readdirSync(copy, { recursive: true }).filter((file) => file.endsWith('.long.itest.ts')),
        ]
      : [];
  vitest({ ...env, MUTANT_TRACE: `${traceFile(form)}.part` }, ...only, '--reporter', 'json', '--outputFile', report);
  const reached = readLines(`${traceFile(form)}.part`);
  for (const { name, status, startTime, endTime } of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    const test = name.slice(copy.length + 1);
    const mutations = reached.filter((line) => line.test === test).map(({ n }) => n);
    if (status === 'passed')
      appendFileSync(
        traceFile(form),
        `${JSON.stringify({ test, seconds: (endTime - startTime) / 1000, mutations: [...new Set(mutations)] })}\n`,
      );
  }
}

/** Returns the batch of test files that fails with this mutation; null if all pass. The quickest run first. */
function findFailing(n, form, env) {
  const tests = readLines(traceFile(form))
    .filter(({ mutations }) => mutations.includes(n))
    .sort((a, b) => a.seconds - b.seconds);
  for (let at = 0, size = 2; at < tests.length; at += size, size = Math.min(size * 2, 16)) {
    const batch = tests.slice(at, at + size).map(({ test }) => test);
    if (!vitest({ ...env, MUTANT: String(n) }, ...batch, '--bail', '1')) return batch;
  }
  return null;
}

const mutations = draw(Number(values.count), Number(values.seed));
if (!existsSync(copy)) prepare(mutations);
for (const [form, env] of [
  ['short', { LONG: '' }],
  ['long', { LONG: '1' }],
]) {
  if (!existsSync(traceFile(form))) recordReach(form, env);
  for (const { n, area, file, line, kind } of mutations) {
    if (readLines(results).some((result) => result.n === n && (result.foundBy || result.form === form))) continue;
    const foundBy = findFailing(n, form, env);
    appendFileSync(results, `${JSON.stringify({ n, form, area, place: `${file}:${line}`, kind, foundBy })}\n`);
  }
  const found = new Set(
    readLines(results)
      .filter(({ foundBy }) => foundBy)
      .map(({ n }) => n),
  );
  process.stdout.write(`${form} form: ${found.size} of ${mutations.length} found\n`);
}
for (const { n, area, file, line, kind } of mutations)
  if (!readLines(results).some((result) => result.n === n && result.foundBy))
    process.stdout.write(`not found: ${n} ${area} ${file}:${line} ${kind}\n`);
