import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { LONG } from '@/test/long-form.mjs';
import { type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';

/**
 * Number of different first segments, which folding does not reduce, read under DuckDB's real memory limit. Above
 * 50,000 a level is grouped in another way.
 */
const NAMES = LONG ? 120_000 : 52_000;
let ref: SnapshotRef;
let rows: MadeRow[];
let clean: () => Promise<void>;

/** 0 → aaaa, 1 → aaab …: the names have no digits, so nothing is folded. */
const letters = (i: number) => {
  let text = '';
  for (let rest = i, n = 0; n < 4; n++, rest = Math.floor(rest / 26))
    text = String.fromCharCode(97 + (rest % 26)) + text;
  return text;
};

beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  const model = madeRows(1).at(-1)!;
  rows = Array.from({ length: NAMES }, (_, i) => ({
    ...model,
    bytesOfName: Buffer.from(`${letters(i)}:x`),
    node: 0,
    db: 0,
    bytes: 100 + ((i * 7919) % 100_003),
  }));
  rows.push(
    ...Array.from({ length: 30 }, (_, i) => ({
      ...model,
      bytesOfName: Buffer.from(`${i}:x`),
      node: 0,
      db: 0,
      bytes: 1,
    })),
  );
  ref = await makeSealed(folder.root, 'wide', rows);
}, 400_000);
afterAll(() => clean());

/** The names as the report has them: the ids of the level are one child. */
const namesInOrder = () => [...Array.from({ length: NAMES }, (_, i) => letters(i)), '{int}'].sort();

const total = () => rows.reduce((n, r) => n + r.bytes, 0);

describe('a level of very many names', () => {
  it('has every one of them on some page, in one order', async () => {
    const at = async (cursor?: string) =>
      (await runReport(ref, 'tree', { sort: 'name', limit: 1000, ...(cursor && { cursor }) })).report;
    const first = await at();
    expect(first.offset).toBe(0);
    const second = await at(first.nextCursor!);
    expect(second.children.map((c) => c.segment)).toEqual(namesInOrder().slice(1000, 2000));
    const last = await at(Buffer.from(`n${NAMES}`).toString('base64url'));
    expect(last).toMatchObject({ offset: NAMES, nextCursor: null, childCount: NAMES + 1 });
    expect(last.children.map((c) => c.segment)).toEqual([namesInOrder()[NAMES]]);
    const behind = await at(Buffer.from(`n${NAMES + 5}`).toString('base64url'));
    expect(behind).toMatchObject({ children: [], childCount: NAMES + 1, keys: rows.length, nextCursor: null });
    await expect(at('not-a-cursor')).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('shows the largest and sums the rest', async () => {
    const { report } = await runReport(ref, 'tree', { sort: '-bytes', limit: 10 });
    const largest = rows.map((r) => r.bytes).sort((a, b) => b - a);
    expect(report.children.map((c) => c.bytes)).toEqual(largest.slice(0, 10));
    expect(report.childCount).toBe(NAMES + 1);
    expect(report.rest).toEqual({
      nodes: NAMES + 1 - 10,
      keys: rows.length - 10,
      bytes: total() - largest.slice(0, 10).reduce((a, b) => a + b, 0),
      bytesUnknown: 0,
    });
    for (const child of report.children) expect(child.example).toBe(`${child.segment}:x`);
  });

  it('still folds ids and says what it is ordered by', async () => {
    const { report } = await runReport(ref, 'tree', { sort: '-ttl', limit: 5 });
    expect(report.sort).toBe('-keys');
    expect(report.children[0]).toMatchObject({ segment: '{int}', folded: 30, keys: 30 });
  });

  it('has as many templates', async () => {
    const { report } = await runReport(ref, 'patterns', { sort: '-bytes', limit: 3 });
    expect(report.templateCount).toBe(NAMES + 1);
    expect(report.patterns.map((p) => p.bytes)).toEqual(
      rows
        .map((r) => r.bytes)
        .sort((a, b) => b - a)
        .slice(0, 3),
    );
  });

  it.each(['overview', 'ttl', 'idle', 'slots'] as const)('answers %s', async (name) => {
    const { report } = await runReport(ref, name, {});
    expect(report).toBeTruthy();
    if ('prefixCount' in report)
      expect(report).toMatchObject({ prefixCount: NAMES + 1, keys: rows.length, bytes: total() });
  });
});
