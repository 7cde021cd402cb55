import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordAudit } from '@/lib/access/audit/record';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { runTransaction } from '@/lib/store/open-store';
import { parquetRows } from '@/test/snapshots/read-parquet';
import { temporaryData } from '@/test/temporary-data';
import { exportAudit } from './export-audit';

const ada: Actor = { id: 'u1', name: "=cmd|'/c calc'!A1", role: 'operator', via: 'page', sessionId: 's1' };
const ROWS = 1500;
let data: ReturnType<typeof temporaryData>;
beforeAll(async () => {
  data = temporaryData();
  await runTransaction(async (tx) => {
    for (let i = 0; i < ROWS; i++)
      await recordAudit(tx, { actor: ada, action: 'test.act', subject: `s${i}\n"x"`, details: { i, text: '库' } });
    await recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.other', subject: 'x' });
  });
});
afterAll(() => data.remove());

const readLines = async (filter: object) =>
  (await new Response((await exportAudit(LOCAL_ADMIN, filter, 'jsonl')).stream).text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

it('says the same in Parquet as in JSON Lines, over several pages and under the filter', async () => {
  const file = await exportAudit(LOCAL_ADMIN, { action: 'test.act' }, 'parquet');
  expect(file).toMatchObject({ filename: 'colonnade-audit.parquet', contentType: 'application/vnd.apache.parquet' });
  const rows = await parquetRows(file.stream);
  const lines = await readLines({ action: 'test.act' });
  expect(rows).toHaveLength(ROWS);
  // The only object among the cells becomes text.
  expect(rows).toEqual(lines.map(({ at: _, details, ...line }) => ({ ...line, details: JSON.stringify(details) })));
  // Spreadsheets do not run texts of a Parquet file, so the name is not escaped.
  expect(rows[0]).toMatchObject({ seq: 1, actor: "=cmd|'/c calc'!A1", subject: 's0\n"x"' });
});

it('is a whole file also where there is nothing', async () => {
  const file = await exportAudit(LOCAL_ADMIN, { person: 'nobody' }, 'parquet');
  expect(await parquetRows(file.stream)).toEqual([]);
});

it('is for those who may read the log', async () => {
  const nobody: Actor = { id: 'u9', name: 'eve', role: 'none', via: 'page' };
  await expect(exportAudit(nobody, {}, 'parquet')).rejects.toMatchObject({ code: 'forbidden' });
});
