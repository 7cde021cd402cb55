import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const BIOME = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));
const RULE = fileURLToPath(new URL('no-spread-into-push.grit', import.meta.url));

/** Returns the numbers of the lines that the rule reports. */
function lintLines(lines: readonly string[]): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'colonnade-lint-'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ root: true, plugins: [RULE] }));
  writeFileSync(join(folder, 'lines.ts'), `${lines.join('\n')}\n`);
  const linted = spawnSync(process.execPath, [BIOME, 'lint', '--colors=off', 'lines.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const said = `${linted.stdout}${linted.stderr}`;
  expect(said).toContain('Checked 1 file');
  return [...said.matchAll(/^lines\.ts:(\d+):\d+ plugin/gm)].map(([, line]) => Number(line));
}

it('a spread among the arguments is reported wherever it stands', () => {
  const reported = [
    'list.push(...more);',
    'list.push(1, ...more);',
    'list.push(1, 2, ...more);',
    'list.push(...more, 1);',
    'list.push(1, 2, 3, ...more, 5, ...more);',
    'list?.push(1, 2, ...more);',
    'list.unshift(1, 2, 3, ...more);',
    'list.splice(0, 1, ...more);',
    'String.fromCodePoint(...more, 1);',
  ];
  expect(lintLines(reported)).toEqual(reported.map((_, i) => i + 1));
});

it('a spread within one argument is not reported', () => {
  const allowed = ['list.push([...more]);', 'list.push({ ...more });', 'list.push(1, { ...more }, [1, 2, ...more]);'];
  expect(lintLines(allowed)).toEqual([]);
});
