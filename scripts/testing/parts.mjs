/**
 * Divides the long form into parts of about the same length and records which of them passed on which commit, so that
 * they can run one by one. The record is `.test-parts.json` in the root; git ignores it.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCES } from '../ensure/build.mjs';
import { root } from '../run.mjs';

const MEMORY = join(root, '.test-parts.json');
export const TIMES = join(root, 'test/file-times.json');
/** Assumed seconds of a file whose time has not been measured. */
const UNKNOWN_SECONDS = 15;

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** Returns every test file that needs real servers or a browser. @returns {{ stage: string, file: string }[]} */
export function listTestFiles() {
  const vitest = ['integration', 'postgres'].flatMap((project) => {
    const args = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json', '--project', `${project}*`];
    const found = JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }));
    return found.map(({ file }) => ({ stage: project, file: file.slice(root.length) }));
  });
  const specs = readdirSync(join(root, 'e2e')).filter((name) => name.endsWith('.spec.ts'));
  return [...vitest, ...specs.map((name) => ({ stage: 'e2e', file: `e2e/${name}` }))];
}

/**
 * Returns the files of each part: files are taken longest first, and each goes into the part that is shortest so far.
 * @template {{ stage: string, file: string }} T
 * @param {T[]} files @param {number} count @param {Record<string, number>} seconds by `stage file`
 * @returns {T[][]}
 */
export function divide(files, count, seconds) {
  const parts = Array.from({ length: count }, () => ({ seconds: 0, files: /** @type {T[]} */ ([]) }));
  const timed = files.map((file) => ({ file, duration: seconds[`${file.stage} ${file.file}`] ?? UNKNOWN_SECONDS }));
  timed.sort((a, b) => b.duration - a.duration || (a.file.file < b.file.file ? -1 : 1));
  for (const { file, duration } of timed) {
    const shortest = parts.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    shortest.files.push(file);
    shortest.seconds += duration;
  }
  return parts.map((part) => part.files);
}

/** Seconds of each file, by `stage file`. @param {'short' | 'long'} form */
export const readFileTimes = (form) => JSON.parse(readFileSync(TIMES, 'utf8'))[form];

const readMemory = () => (existsSync(MEMORY) ? JSON.parse(readFileSync(MEMORY, 'utf8')) : {});

/** Records the result of a part. If there are uncommitted changes, its commit is null. */
export function rememberPart(name, parts, { passed, seconds, files }) {
  const commit = git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : null;
  // Parts of two different divisions together may miss a file, so the division is recorded too.
  const division = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
  const part = { passed, commit, division, seconds, endedAt: new Date().toISOString(), files };
  writeFileSync(MEMORY, `${JSON.stringify({ ...readMemory(), [name]: part }, null, 1)}\n`);
}

/** Seconds of each file as recorded last by the parts. @returns {Record<string, number>} */
export const readNotedTimes = () => Object.assign({}, ...Object.values(readMemory()).map(({ files }) => files));

/** Returns one line per part: whether it passed, on which commit, and whether the product has changed since. */
export function describeParts(count) {
  const memory = readMemory();
  const names = Array.from({ length: count }, (_, i) => `${i + 1}/${count}`);
  const ended = names.flatMap((name) => memory[name] ?? []).sort((a, b) => (a.endedAt < b.endedAt ? -1 : 1));
  return names.map((name) => {
    const part = memory[name];
    if (!part) return `${name}  not run`;
    if (part.division !== ended.at(-1).division) return `${name}  to be run again: files are divided otherwise since`;
    const outcome = part.passed ? 'passed' : 'FAILED';
    return `${name}  ${outcome} ${describeCommit(part.commit)} in ${part.seconds} s, ${part.endedAt.slice(0, 16)}Z`;
  });
}

function describeCommit(commit) {
  if (commit === null) return 'with uncommitted changes';
  const isTest = (file) => /\.(i?test|spec)\.tsx?$/.test(file);
  const changed = git('diff', '--name-only', commit, '--', ...SOURCES)
    .split('\n')
    .filter((file) => file && !isTest(file));
  const since = changed.length === 0 ? 'no product change since' : `${changed.length} product files changed since`;
  return `on ${commit.slice(0, 8)} (${since})`;
}
