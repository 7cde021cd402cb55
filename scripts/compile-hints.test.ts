import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMPILE_HINT, hintCompile } from './compile-hints.mjs';

it('begins each script that is worth it with the hint, once, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'colonnade-hints-'));
  mkdirSync(join(folder, 'chunks'));
  const [script, style] = [join(folder, 'chunks/a.js'), join(folder, 'chunks/a.css')];
  const text = 'one();'.repeat(1000);
  writeFileSync(script, text);
  writeFileSync(join(folder, 'small.js'), 'one();');
  writeFileSync(style, 'a{}');
  expect([hintCompile(folder), hintCompile(folder)]).toEqual([1, 0]);
  expect(readFileSync(script, 'utf8')).toBe(COMPILE_HINT + text);
  expect(readFileSync(join(folder, 'small.js'), 'utf8')).toBe('one();');
  expect(readFileSync(style, 'utf8')).toBe('a{}');
});
