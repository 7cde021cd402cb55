/**
 * `npm run test:all`: every test in its long form, with every server version that is installed.
 *   --part 3/6   runs one part of six; without it all six run one after the other
 *   --status     prints which parts have passed, on which commit
 */

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { endWithNpm } from './end-with-npm.mjs';
import { stop } from './run.mjs';
import { describeParts, divide, listTestFiles, readFileTimes, rememberPart } from './testing/parts.mjs';
import { build, finishStages, installAll, runBrowserTests, runVitest, stage } from './testing/stages.mjs';
import { verify } from './verify.mjs';

const PARTS = 6;

const values = readOptions();
const [part, count] = (values.part ?? `0/${PARTS}`).split('/').map(Number);
if (!(count >= 1 && part <= count && (part >= 1 || !values.part)))
  stop('--part takes a number and how many there are: 3/6.');

if (values.status) {
  process.stdout.write(`${describeParts(count).join('\n')}\n`);
} else if (!values.part) {
  const failed = [];
  for (let number = 1; number <= count; number++) {
    const args = [import.meta.filename, '--part', `${number}/${count}`];
    const { status, signal } = spawnSync(process.execPath, args, { stdio: 'inherit' });
    if (status !== 0) failed.push(number);
    if (signal) break;
  }
  process.stdout.write(`${describeParts(count).join('\n')}\n`);
  process.exit(failed.length === 0 ? 0 : 1);
} else {
  await runPart();
}

async function runPart() {
  endWithNpm();
  process.env.LONG = '1';
  await installAll();
  const parts = divide(listTestFiles(), count, readFileTimes('long'));
  const files = parts[part - 1] ?? [];
  const selectFiles = (name) => files.filter(({ stage }) => stage === name).map(({ file }) => file);
  if (part === 1) await stage('verify', verify);
  const built = await build();
  for (const project of ['integration', 'postgres'])
    if (selectFiles(project).length > 0) await stage(project, () => runVitest(project, selectFiles(project)));
  // Without a file Playwright would run all of them.
  if (selectFiles('e2e').length > 0) await runBrowserTests(built, selectFiles('e2e'));
  const result = finishStages();
  rememberPart(`${part}/${count}`, parts, result);
  process.exit(result.passed ? 0 : 1);
}

function readOptions() {
  try {
    return parseArgs({ options: { part: { type: 'string' }, status: { type: 'boolean' } } }).values;
  } catch (error) {
    return stop(`${error.message} There are --part 3/6 and --status.`);
  }
}
