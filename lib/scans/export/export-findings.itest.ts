import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import { addOwner } from '@/lib/policies/owners';
import { getFindings, getRuleFindings } from '@/lib/scans/get-findings';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { insertSnapshot } from '@/lib/store/snapshots';
import { AS_OF, type MadeRow } from '@/test/snapshots/made-rows';
import { makeSealed } from '@/test/snapshots/make-snapshot';
import { parquetRows } from '@/test/snapshots/read-parquet';
import { temporaryData } from '@/test/temporary-data';
import { exportFindings } from './export-findings';
import { exportRuleFindings } from './export-rule-findings';

const ID = 'findings0';
const PREFIXES = 1200;
const letters = (n: number): string =>
  (n < 26 ? '' : letters(Math.floor(n / 26))) + String.fromCodePoint(97 + (n % 26));

const row = (name: string): MadeRow => ({
  ...{ bytesOfName: Buffer.from(name), node: 0, db: 0, type: 'string', encoding: 'raw' },
  ...{ expireAt: AS_OF + 86_400_000, bytes: 100, length: 50, idle: 1, freq: -1 },
});

let data: ReturnType<typeof temporaryData>;
beforeAll(async () => {
  data = temporaryData();
  // Each of the first names violates N10 below its own prefix; all others expire in one minute.
  const names = [
    ...Array.from({ length: PREFIXES }, (_, i) => `app:${letters(i)}:B_c:${i}`),
    ...Array.from({ length: 3000 }, (_, i) => `storm:at:once:${i}`),
  ];
  await makeSealed(path.dirname(getSnapshotFolder(ID)), ID, names.map(row), { instanceId: 'i' });
  const counts = { keys: names.length, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  const of = { instanceId: 'i', jobId: null, state: 'sealed' as const, startedAt: 1, endedAt: 2, partial: false };
  await insertSnapshot({ id: ID, ...of, ...counts });
  await addOwner(LOCAL_ADMIN, { instanceId: null, prefix: 'storm:', team: '=HYPERLINK("x")' });
});
afterAll(() => data.remove());

const toText = async ({ stream }: { stream: ReadableStream }) => new Response(stream).text();
const readRows = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const rules = (shape: object = {}) =>
  exportFindings(LOCAL_ADMIN, ID, {}, { format: 'jsonl', ...shape } as { format: FileFormat });

it('has every rule that is on, or those that the page lists', async () => {
  const { report } = await getFindings(LOCAL_ADMIN, ID, {});
  const all = readRows(await toText(await rules()));
  expect(all.map((one) => [one.rule, one.status])).toEqual(report.rules.map((one) => [one.rule, one.status]));
  expect(all.find((one) => one.rule === 'N10')).toMatchObject({ title: expect.stringMatching(/\w/), keys: PREFIXES });
  const some = readRows(await toText(await rules({ only: 'mandatory', area: 'names' })));
  expect(some.map((one) => one.rule)).toEqual(
    report.rules.filter((one) => one.strength === 'mandatory' && one.area === 'names').map((one) => one.rule),
  );
  expect(some.length).toBeLessThan(all.length);
});

it('says the same in Parquet', async () => {
  const lines = readRows(await toText(await rules()));
  const rows = await parquetRows((await rules({ format: 'parquet' })).stream);
  expect(rows.map((one) => [one.rule, one.keys, one.example])).toEqual(
    lines.map((one) => [one.rule, one.keys, one.example]),
  );
});

it('has the teams, and runs nothing of their names in a spreadsheet', async () => {
  const lines = readRows(await toText(await rules({ table: 'owners' })));
  expect(lines.find((one) => one.team === '=HYPERLINK("x")')).toMatchObject({ keys: 3000 });
  expect(await toText(await rules({ table: 'owners', format: 'csv' }))).toContain('"\'=HYPERLINK(""x"")"');
});

it('has every prefix of a rule, however many pages that takes, and every group', async () => {
  const { report } = await getRuleFindings(LOCAL_ADMIN, ID, 'N10', {});
  expect(report.nextCursor).not.toBeNull();
  const asked = await exportRuleFindings(LOCAL_ADMIN, ID, 'N10', {}, { format: 'jsonl' });
  expect(asked.filename).toMatch(/^colonnade-.*-findings-N10-.*\.jsonl$/);
  const prefixes = readRows(await toText(asked));
  expect(prefixes).toHaveLength(report.prefixCount);
  expect(new Set(prefixes.map((one) => one.prefix)).size).toBe(PREFIXES);
  const grouped = (await getFindings(LOCAL_ADMIN, ID, {})).report.rules.find((one) => (one.groups ?? 0) > 0)!;
  const groups = readRows(
    await toText(await exportRuleFindings(LOCAL_ADMIN, ID, grouped.rule, {}, { format: 'jsonl' })),
  );
  expect(groups).toHaveLength(grouped.groups!);
  expect(groups[0]).toMatchObject({ group: expect.any(String), keys: expect.any(Number) });
});

it('is about the scope that was asked', async () => {
  const prefixes = readRows(
    await toText(await exportRuleFindings(LOCAL_ADMIN, ID, 'N10', { prefix: 'app:b:' }, { format: 'jsonl' })),
  );
  expect(prefixes.map((one) => one.keys)).toEqual([1]);
});

it('gives whoever may not see the instance nothing, in no format', async () => {
  const eve: Actor = { id: 'u9', name: 'eve', role: 'none', via: 'page' };
  for (const format of ['csv', 'jsonl', 'parquet'] as const) {
    await expect(exportFindings(eve, ID, {}, { format })).rejects.toMatchObject({ code: 'not_found' });
    await expect(exportRuleFindings(eve, ID, 'N10', {}, { format })).rejects.toMatchObject({ code: 'not_found' });
  }
});
