import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';

/** Texts of 500 MB in one value, which DuckDB cannot spill to disk. */
const TOO_MUCH = `SELECT list(repeat('x', 100000) || i::VARCHAR) AS texts FROM range(5000) t(i)`;

let ref: SnapshotRef;
let clean: () => Promise<void>;
beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  ref = await makeSealed(folder.root, 'memory', madeRows(100));
});
afterAll(() => clean());

it('says of a question that does not fit into memory how to ask for less, and goes on answering', async () => {
  const asked = withSource(ref, (source) => source.query(TOO_MUCH));
  await expect(asked).rejects.toMatchObject({
    code: 'too_large',
    details: { reason: 'memory' },
    message: expect.stringContaining('prefix or a filter'),
  });
  const { report } = await runReport(ref, 'keys', { limit: 1 });
  expect(report.total).toBe(ref.manifest.keys);
});
