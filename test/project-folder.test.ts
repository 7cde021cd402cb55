import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/**
 * Files that a program leaves behind must not become part of the project: a folder that was named by a variable without
 * a value, snapshots, databases, archives.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
const FOLDERS = [
  'app',
  'bench',
  'cli',
  'components',
  'deploy',
  'docs',
  'e2e',
  'lib',
  'messages',
  'public',
  'scripts',
  'test',
];
const IGNORED = new Set(
  readFileSync(`${root}.gitignore`, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('/'))
    .map((line) => line.replaceAll('/', '')),
);
/**
 * Files that the product writes: parts and sealed files, the store and its companion files, archives, spill files of
 * queries.
 */
const DATA =
  /\.(parquet|duckdb|db|sqlite3?|(?:db|sqlite3?)-(?:wal|shm|journal)|arc|rdb|aof|tmp|key|pid|dump|core|heapsnapshot)$/i;

it('nothing lies at the top of the project but its own folders', () => {
  const found = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !IGNORED.has(entry.name))
    .map((entry) => entry.name);
  expect(found.toSorted()).toEqual(FOLDERS);
});

it('no data of a program is part of the project', () => {
  const files = [...FOLDERS, '.']
    .flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: folder !== '.', withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${entry.parentPath}/${entry.name}`),
    )
    .filter((file) => !file.includes('/node_modules/'));
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => DATA.test(file))).toEqual([]);
  // A copy without git has no list of tracked files; there the files on disk, checked above, are all there is.
  const tracked = isCheckout() ? execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }) : '';
  expect(tracked.split('\0').filter((file) => DATA.test(file) || /^(undefined|null)\//.test(file))).toEqual([]);
});

function isCheckout(): boolean {
  return readdirSync(root).includes('.git');
}
