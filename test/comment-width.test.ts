import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commentsOf } from './comments-of';

const COLUMNS = 120;

it('comments end at column 120', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { encoding: 'utf8' }).trim().split('\n');
  const long: string[] = [];
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    if (!text.split('\n').some((line) => line.length > COLUMNS)) continue;
    for (const { start, end } of commentsOf(file, text)) {
      const from = text.lastIndexOf('\n', start - 1) + 1;
      const to = text.indexOf('\n', end);
      const first = text.slice(0, from).split('\n').length;
      for (const [index, line] of text
        .slice(from, to < 0 ? undefined : to)
        .split('\n')
        .entries())
        if (line.length > COLUMNS && /\S+\s+\S+/.test(line)) long.push(`${file}:${first + index}: ${line.length}`);
    }
  }
  expect(long).toEqual([]);
  expect(files.length).toBeGreaterThan(500);
}, 60_000);

it('comments of style sheets, settings and units end at column 120', () => {
  const files = execFileSync('git', ['ls-files', '*.css', '*.yaml', '*.yml', '*.service', 'Dockerfile'], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  const long = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const comments = text.matchAll(file.endsWith('.css') ? /\/\*[\s\S]*?\*\//g : /^[ \t]*#.*$/gm);
    const lines = [...comments].flatMap(([comment]) => comment.split('\n'));
    return lines.filter((line) => line.length > COLUMNS && /\S+\s+\S+/.test(line)).map((line) => `${file}: ${line}`);
  });
  expect(long).toEqual([]);
  expect(files.length).toBeGreaterThan(10);
});

// Tables, headings, pictures and code stand on lines of their own length.
it('prose of the documents ends at column 120', () => {
  const files = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');
  const long = files.flatMap((file) => {
    let code = false;
    return readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        if (/^\s*```/.test(line)) code = !code;
        return code || line.length <= COLUMNS || /^(\||#|!\[)/.test(line)
          ? []
          : [`${file}:${index + 1}: ${line.length}`];
      });
  });
  expect(long).toEqual([]);
  expect(files.length).toBeGreaterThan(5);
});
