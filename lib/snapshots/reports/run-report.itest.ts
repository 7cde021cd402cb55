import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReportQuery } from '@/lib/model/reports/query';
import { madeRows } from '@/test/snapshots/made-rows';
import { makeSealed } from '@/test/snapshots/make-snapshot';
import { runReport } from './run-report';

let folder: string;
let ref: Awaited<ReturnType<typeof makeSealed>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'run-report-'));
  ref = await makeSealed(folder, 's', madeRows(2000));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Limits with a counter of how many times the keys were read. */
const counted = () => {
  let asked = 0;
  return {
    limits: {
      onMissingRollup: () => {
        asked++;
      },
    },
    asked: () => asked,
  };
};
const query = (more: object) => ReportQuery.parse(more);

it('the same question of several at once is asked once, and each has an answer of its own', async () => {
  const { limits, asked } = counted();
  const all = await Promise.all([1, 2, 3].map(() => runReport(ref, 'types', query({}), limits)));
  expect(asked()).toBe(1);
  expect(all[1]?.report).toEqual(all[0]?.report);
  expect(all[1]?.report).not.toBe(all[0]?.report);
  await runReport(ref, 'types', query({}), limits);
  expect(asked()).toBe(1);
  await runReport(ref, 'types', query({ prefix: 'nothing:' }), limits);
  expect(asked()).toBe(2);
});

it('who joined a question whose reader left has an answer', async () => {
  const { limits, asked } = counted();
  const abort = new AbortController();
  const first = runReport({ ...ref, signal: abort.signal }, 'overview', query({}), limits);
  const second = runReport(ref, 'overview', query({}), limits);
  abort.abort(new Error('left'));
  await expect(first).rejects.toThrow();
  expect((await second).report).toMatchObject({ keys: ref.manifest.keys });
  expect(asked()).toBeLessThanOrEqual(2);
});
