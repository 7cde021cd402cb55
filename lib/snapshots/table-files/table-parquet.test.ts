import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { config } from '@/lib/runtime/config';
import { makeExportFolder } from '@/lib/snapshots/query/export-file';
import { temporaryData } from '@/test/temporary-data';
import { encodeLinesParquet } from './table-parquet';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

it('whoever leaves while the rows are written ends the writing, and nothing of it stays', async () => {
  const leaving = new AbortController();
  let written = 0;
  async function* endless() {
    for (;;) {
      if (++written === 50) leaving.abort(new Error('gone'));
      yield `${JSON.stringify({ seq: written })}\n`;
      await new Promise(setImmediate);
    }
  }
  await expect(encodeLinesParquet([{ name: 'seq', kind: 'BIGINT' }], endless(), leaving.signal)).rejects.toThrow(
    'gone',
  );
  expect(written).toBeLessThan(60);
  const left = await readdir(await makeExportFolder(path.join(config.snapshotsDir, 'none')));
  expect(left.filter((name) => name.startsWith('export-'))).toEqual([]);
});
