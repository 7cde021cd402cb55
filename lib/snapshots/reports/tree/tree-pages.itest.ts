import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { TreeNode } from '@/lib/model/reports/reports';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { LONG } from '@/test/long-form.mjs';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';

let refs: [string, SnapshotRef][];
let clean: () => Promise<void>;
beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  const words = madeRows(250).map((row, i) => ({
    ...row,
    node: 0,
    db: 0,
    bytesOfName: Buffer.from(`${String.fromCharCode(97 + (i % 26))}${String.fromCharCode(97 + ((i * 7) % 23))}:k`),
  }));
  const rows = [...madeRows(700), ...words];
  const rolled = await makeSealed(folder.root, 'rolled', rows);
  await makeRollup(rolled);
  refs = [
    ['roll-up', rolled],
    ['keys', await makeSealed(folder.root, 'keys', rows)],
    ['live', await makeLive(folder.root, 'live', rows)],
  ];
}, 240_000);
afterAll(() => clean());

const SORTS = [
  ...['-bytes', 'name', '-keys', 'avg', '-max', 'noexpiry'],
  ...['-bigkeys', '-ttl', '-types', 'sharekeys', '-findings'],
];
/** The short form tests each sort under one of them: the roll-up answers the first two, the keys the last. */
const FILTERS: ReportQuery[] = [{}, { type: ['hash'] }, { search: 'a' }];

it.each(['roll-up', 'keys', 'live'])(
  'pages through every child of a level, however it is ordered: %s',
  {
    timeout: 400_000,
  },
  async (answers) => {
    const [, ref] = refs.find(([name]) => name === answers)!;
    for (const [s, sort] of SORTS.entries()) {
      // For a running scan names are split and folded each time, so a sort of each kind is enough.
      if (!LONG && answers === 'live' && s % 4 > 0) continue;
      for (const filter of LONG ? FILTERS : [FILTERS[s % FILTERS.length]!]) {
        const whole = (await runReport(ref, 'tree', { ...filter, sort, limit: 1000 })).report;
        const label = [answers, sort, filter];
        expect([...label, whole.nextCursor, whole.rest]).toEqual([...label, null, null]);
        const paged: TreeNode[] = [];
        let cursor: string | undefined;
        do {
          const { report } = await runReport(ref, 'tree', {
            ...filter,
            sort,
            limit: LONG ? 300 : Math.ceil(whole.childCount / 2),
            ...(cursor && { cursor }),
          });
          expect([...label, report.offset, report.childCount, report.keys]).toEqual([
            ...label,
            paged.length,
            whole.childCount,
            whole.keys,
          ]);
          const shown = report.children.reduce((sum, child) => sum + child.keys, 0);
          expect(shown + (report.rest?.keys ?? 0)).toBe(whole.keys);
          paged.push(...report.children);
          cursor = report.nextCursor ?? undefined;
        } while (cursor);
        expect([...label, paged]).toEqual([...label, whole.children]);
      }
    }
  },
);
