import { expect, it } from 'vitest';
import { buildTable } from '@/lib/model/reports/table';
import { encodeTable } from './table-file';

const table = buildTable(
  [
    { name: '=cmd|calc', bytes: 1024 as number | null, share: 0.25, span: [0, 60] as readonly [number, number | null] },
    { name: 'a,"b"\n', bytes: null, share: 1, span: [3600, null] as readonly [number, number | null] },
  ],
  [
    ['prefix', 'name', (r) => r.name],
    ['memory', 'bytes', (r) => r.bytes],
    ['share', 'share', (r) => r.share],
    ['expires in', 'span', (r) => r.span],
  ],
);

it('says its units in the head and leaves the unknown empty', () => {
  expect(encodeTable(table, 'csv').split('\n')[0]).toBe(
    '\ufeffprefix,memory (bytes),share (0–1),expires in: from (s),expires in: to (s)',
  );
  expect(encodeTable(table, 'csv')).toContain('"a,""b""\\u000a",,1,3600,\n');
});

it('runs no formula in a spreadsheet', () => {
  expect(encodeTable(table, 'csv')).toContain("\n'=cmd|calc,1024,0.25,0,60\n");
});

it('is one object a line, with null for the unknown', () => {
  const lines = encodeTable(table, 'jsonl').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      prefix: '=cmd|calc',
      'memory (bytes)': 1024,
      'share (0–1)': 0.25,
      'expires in: from (s)': 0,
      'expires in: to (s)': 60,
    },
    {
      prefix: 'a,"b"\n',
      'memory (bytes)': null,
      'share (0–1)': 1,
      'expires in: from (s)': 3600,
      'expires in: to (s)': null,
    },
  ]);
});

it('has no half of a surrogate pair, which would make the whole file unreadable', () => {
  const hostile = buildTable(
    [{ name: 'a\ud800b' }, { name: '\udc00' }, { name: '😀' }],
    [['name', 'name', (r) => r.name]],
  );
  const names = encodeTable(hostile, 'jsonl').trimEnd().split('\n');
  expect(names).toEqual(['{"name":"a\ufffdb"}', '{"name":"\ufffd"}', '{"name":"😀"}']);
});
