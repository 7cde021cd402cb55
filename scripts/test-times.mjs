/**
 * Measures each file of the short form alone (one at a time, with nothing else running) and writes its seconds to
 * test/file-times.json and into the table of docs/TESTING.md. The times of the long form are those that the parts of
 * `npm run test:all` recorded last. Both decide which file begins first and which part a file belongs to; no test
 * passes or fails because of them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWithNpm } from './end-with-npm.mjs';
import { root } from './run.mjs';
import { readFileTimes, readNotedTimes, TIMES } from './testing/parts.mjs';
import { build, finishStages, installAll, runBrowserTests, runVitest, stage } from './testing/stages.mjs';

const DOCUMENT = join(root, 'docs/TESTING.md');
const [BEGIN, END] = ['<!-- file times -->', '<!-- /file times -->'];
/** Files that take fewer seconds are only summed up per folder. */
const SHOWN_SECONDS = 8;

endWithNpm();
await installAll();
const built = await build();
for (const project of ['unit', 'integration', 'postgres'])
  await stage(project, () => runVitest(project, [], ['--no-file-parallelism']));
await runBrowserTests(built);
const { files } = finishStages();

const times = {
  short: sorted({ ...files }),
  long: sorted({ ...readFileTimes('long'), ...readNotedTimes() }),
};
writeFileSync(TIMES, `${JSON.stringify(times, null, 2)}\n`);
const text = readFileSync(DOCUMENT, 'utf8');
const [before, rest] = text.split(BEGIN);
writeFileSync(DOCUMENT, `${before}${BEGIN}\n${describeTimes(times.short)}\n${END}${rest.split(END)[1]}`);

function sorted(seconds) {
  return Object.fromEntries(Object.entries(seconds).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function describeTimes(seconds) {
  const longest = Object.entries(seconds).sort(([, a], [, b]) => b - a);
  const rows = longest.filter(([, duration]) => duration >= SHOWN_SECONDS);
  const stages = [...new Set(longest.map(([name]) => name.split(' ')[0]))];
  return [
    '| s | stage | file |',
    '|--:|---|---|',
    ...rows.map(([name, duration]) => `| ${Math.round(duration)} | ${name.replace(' ', ' | ')} |`),
    '',
    ...stages.map((stage) => {
      const files = longest.filter(([name]) => name.startsWith(`${stage} `));
      const sum = files.reduce((total, [, duration]) => total + duration, 0);
      return `- ${stage}: ${files.length} files, ${Math.round(sum)} s one after the other`;
    }),
  ].join('\n');
}
