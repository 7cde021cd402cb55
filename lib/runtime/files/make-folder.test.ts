import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder } from './make-folder';

let base: string;
beforeAll(() => {
  base = mkdtempSync(path.join(tmpdir(), 'colonnade-folder-'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

it('makes all that is missing, for us alone, and takes what is there', () => {
  const dir = path.join(base, 'a/b/c');
  makeFolder(dir);
  makeFolder(dir);
  expect(statSync(path.join(base, 'a')).mode & 0o777).toBe(0o700);
  expect(statSync(dir).mode & 0o777).toBe(0o700);
});

it('says that a file stands there, or on the way', () => {
  writeFileSync(path.join(base, 'file'), '');
  expect(() => makeFolder(path.join(base, 'file'))).toThrow(/EEXIST/);
  expect(() => makeFolder(path.join(base, 'file/below'))).toThrow(/EEXIST|ENOTDIR/);
});

it.runIf(process.platform === 'linux')('comes to an end where the system makes none', () => {
  expect(() => makeFolder('/proc/colonnade/data')).toThrow(/ENOENT|EACCES/);
});
