import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KeyFilter } from '@/lib/model/filter';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { LONG } from '@/test/long-form.mjs';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';

let data: Awaited<ReturnType<typeof dataFolder>>;
let sealed: SnapshotRef;
beforeAll(async () => {
  data = await dataFolder();
  sealed = await makeSealed(
    data.root,
    'sealed',
    madeRows(LONG ? 6000 : 3000).map((row, i) => ({ ...row, node: i % 7 })),
  );
});
afterAll(() => data.clean());

async function listed(filter: KeyFilter): Promise<KeyRow[]> {
  const rows: KeyRow[] = [];
  for (let cursor: string | undefined; ; ) {
    const { report } = await runReport(sealed, 'keys', {
      ...filter,
      limit: LONG ? 60 : 120,
      ...(cursor && { cursor }),
    });
    rows.push(...report.rows);
    if (report.nextCursor === null) return rows;
    cursor = report.nextCursor;
  }
}

it.each<[string, KeyFilter, (row: KeyRow) => boolean]>([
  ['types', { type: ['string', 'hash', 'list', 'set', 'zset', 'stream'] }, (row) => /^[a-z]+$/.test(row.type ?? '')],
  [
    'types and unknown',
    { type: ['string', 'hash', 'list', 'set', 'zset', 'unknown'] },
    (r) => !/stream|[R_]/.test(r.type ?? ''),
  ],
  ['nodes', { node: [0, 1, 2, 3, 4, 5] }, (row) => row.node < 6],
  ['databases', { db: [0, 1, 2, 3, 4] }, (row) => row.db === 0],
])('pages through a choice of many %s without leaving a key out', async (_what, filter, isMeant) => {
  const all = await listed({});
  expect(all).toHaveLength(sealed.manifest.keys);
  const expected = all.filter(isMeant);
  expect(expected.length).toBeGreaterThan(all.length / 2);
  expect(await listed(filter)).toEqual(expected);
});
