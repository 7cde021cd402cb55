import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildSample, type LintName, readNames as read } from './read-names';

async function readNames(...asked: Parameters<typeof read>): Promise<LintName[]> {
  const all: LintName[] = [];
  for await (const names of read(...asked)) all.push(...names);
  return all;
}

describe('placeholders', () => {
  it.each([
    ['user:{id}:profile:string', 'user:1:profile:string'],
    ['user:basic:info:{userid}:string', 'user:basic:info:1:string'],
    ['u:{uid}:fr:m:{mid}', 'u:1:fr:m:1'],
    ['order:$'.concat('{order.id}:items'), 'order:1:items'],
    ['order:<orderId>:items', 'order:1:items'],
    ['order:%s:%d', 'order:1:1'],
    ['user:{alnum}', 'user:01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['stat:{date}:{uuid}', 'stat:20260101:3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
    ['class:{constructor}:{toString}', 'class:1:1'],
    // A hash tag within a segment is part of the name.
    ['{user1000}.following', '{user1000}.following'],
    ['a:{}:b', 'a:{}:b'],
  ])('%s is asked as %s', (written, name) => {
    expect(buildSample(written, ':', null)).toBe(name);
  });

  it.each([
    ['_', 'user_{user_id}_x', 'user_1_x'],
    ['.', 'user.<order.id>', 'user.1'],
    ['-', '{a-b}-c', '1-c'],
    ['::', '{a}::b::{c}', '1::b::1'],
    ['_', '{a}b_c', '{a}b_c'],
  ])('under %s, %s is asked as %s', (delimiter, written, name) => {
    expect(buildSample(written, delimiter, null)).toBe(name);
  });

  it('puts the type where {type} stands', () => {
    expect(buildSample('user:{id}:{type}', ':', 'zset')).toBe('user:1:zset');
  });
});

describe('files of names', () => {
  const file = (text: string | Buffer) => {
    const path = join(mkdtempSync(join(tmpdir(), 'colonnade-names-')), 'keys.txt');
    writeFileSync(path, text);
    return path;
  };
  const options = { literal: false, delimiter: ':' };

  it('leaves out comments and empty lines, keeps line numbers and reads types', async () => {
    const path = file('# our keys\r\n\r\nuser:{id}\thash\r\n#tag:1\r\n');
    expect(await readNames([path], options)).toEqual([
      { file: path, line: 3, written: 'user:{id}', name: 'user:1', type: 'hash' },
      { file: path, line: 4, written: '#tag:1', name: '#tag:1', type: null },
    ]);
  });

  it('takes LF and CR LF for line breaks, nothing else, and no byte order mark for a name', async () => {
    const path = file('\ufeffuser:a:1\r\na\u2028b\u0085c\u2029:1\nd\re:1\r\n\r\n\nlast');
    expect((await readNames([path], options)).map(({ line, written }) => [line, written])).toEqual([
      [1, 'user:a:1'],
      [2, 'a\u2028b\\xc2\\x85c\u2029:1'],
      [3, 'd\\x0de:1'],
      [6, 'last'],
    ]);
  });

  it('reads names as bytes, and lines that lie on the borders of what is read at once', async () => {
    const bytes = Buffer.from('6261ff3a7b69647d', 'hex');
    expect(await readNames([file(bytes)], options)).toEqual([
      { file: expect.any(String), line: 1, written: 'ba\\xff:{id}', name: 'ba\\xff:{id}', type: null, raw: bytes },
    ]);
    const long = Array.from({ length: 30_000 }, (_, i) => `ключ:${i}:${'x'.repeat(i % 97)}`);
    expect((await readNames([file(long.join('\r\n'))], options)).map((one) => one.written)).toEqual(long);
  });

  it.each([
    ['UTF-16', Buffer.from('\ufeffa:b', 'utf16le'), /keys.txt cannot be read: the file is UTF-16/],
    ['no lines', Buffer.alloc(5 * 1024 * 1024, 'x'), /longer than 4 MiB/],
  ])('refuses %s', async (_what, bytes, problem) => {
    await expect(readNames([file(bytes)], options)).rejects.toThrow(problem);
  });

  it('reads stdin once', async () => {
    await expect(readNames(['-', '-'], options)).rejects.toThrow(/one - only/);
  });

  it('names the line of a type that there is none of', async () => {
    await expect(readNames([file('a:b\na:c\tmap\n')], options)).rejects.toThrow(/keys.txt:2: "map" is not a type/);
  });

  it('says no more of what is not a type than fits a line', async () => {
    const refused = readNames([file(`a:b\t${'x'.repeat(100_000)}\n`)], options);
    await expect(refused).rejects.toThrow(/keys.txt:1: "x{40}…" is not a type. .{0,100}$/);
  });

  it('says which file cannot be read', async () => {
    await expect(readNames(['/nowhere/keys.txt'], options)).rejects.toThrow(/\/nowhere\/keys.txt cannot be read/);
  });
});
