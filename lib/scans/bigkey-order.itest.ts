import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import type { BigkeyRow } from '@/lib/model/reports/reports';
import { NO_EXPIRY } from '@/lib/model/snapshots/facts-page';
import { stopRollingUp } from '@/lib/rules/findings/roll-up-soon';
import { presets } from '@/lib/rules/profiles/presets';
import { config } from '@/lib/runtime/config';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { putAssignmentRow } from '@/lib/store/policies/assignments';
import { putExemptionRow } from '@/lib/store/policies/exemptions';
import { putProfileRow } from '@/lib/store/policies/profiles';
import { insertSnapshot } from '@/lib/store/snapshots';
import { LONG } from '@/test/long-form.mjs';
import { AS_OF, madeRows } from '@/test/snapshots/made-rows';
import { makeSealed } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { getFindings } from './get-findings';
import { getReport } from './get-report';

/** The server sorts, and the list shows the numbers: both must agree on every page. */
const ID = 'ordered0';
let data: ReturnType<typeof temporaryData>;
beforeAll(async () => {
  data = temporaryData();
  // Bigkeys of every kind: far over the threshold, about to expire, with one field, huge. Other keys are only large.
  const rows = madeRows(4000).map((row, i) => {
    if (i % 9 !== 0 || row.type === null) return row;
    const isString = row.type === 'string';
    const length = i % 27 === 0 && row.type === 'hash' ? 1 : [6000, 40_000, 900_000][i % 3]!;
    const bytes = isString && i % 18 === 0 ? 70 * 1024 * 1024 : length * 40 + 20_000_000;
    const expireAt = i % 4 === 0 ? AS_OF + 600_000 : i % 4 === 1 ? NO_EXPIRY : AS_OF + 900_000_000;
    return { ...row, length: isString ? bytes : length, bytes, expireAt };
  });
  const ref = await makeSealed(path.join(config.dataDir, 'snapshots'), ID, rows);
  await writeManifest(ref.dir, { ...ref.manifest, id: ID, instanceId: 'i' });
  const counts = { keys: ref.manifest.keys, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  const row = { id: ID, instanceId: 'i', jobId: null, state: 'sealed' as const, startedAt: 1, endedAt: 2 };
  await insertSnapshot({ ...row, partial: false, ...counts });
  // Another profile for a prefix, an exemption by prefix and one by pattern, so that different rules apply in each
  // part.
  const body = presets.get('S1')!;
  await putProfileRow({ id: 'p', body: { ...body, name: 'Other' }, updatedAt: 1 });
  await putAssignmentRow('i', { profileId: 'default', prefixes: [{ prefix: 'shop:user:', profileId: 'p' }] });
  const exempt = { owner: 'x', reason: 'y', instanceId: 'i', expiresAt: null, createdAt: 1, createdBy: 'x' };
  await putExemptionRow({ ...exempt, id: 'e1', rules: '*', prefixes: ['cache:'], patterns: [] });
  await putExemptionRow({ ...exempt, id: 'e2', rules: ['T1'], prefixes: [], patterns: ['mail:*'] });
  // Violated rules are shown once the snapshot is evaluated.
  await getFindings(LOCAL_ADMIN, ID, {});
});
afterAll(async () => {
  await stopRollingUp();
  await data.remove();
});

async function listed(sort: string, limit: number): Promise<BigkeyRow[]> {
  const rows: BigkeyRow[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { report } = await getReport(LOCAL_ADMIN, ID, 'bigkeys', { sort, limit, ...(cursor && { cursor }) });
    rows.push(...report.rows);
    cursor = report.nextCursor;
  }
  return rows;
}
const toId = ({ db, node, k, name }: BigkeyRow) => `${db} ${node} ${k ?? name}`;
const COUNTS = {
  rules: (row: BigkeyRow) => row.violated!.length,
  hazards: ({ hazards, split }: BigkeyRow) => hazards.length + (split && split.severity !== 'large' ? 1 : 0),
};

it.each(['rules', 'hazards'] as const)('orders by the number of %s that the list shows, in pages', async (sort) => {
  const all = await listed('-bytes', 1000);
  expect(all.length).toBeGreaterThan(150);
  const count = COUNTS[sort];
  expect(new Set(all.map(count)).size).toBeGreaterThan(2);
  for (const direction of ['-', '']) {
    const rows = await listed(`${direction}${sort}`, LONG ? 37 : 150);
    expect(rows.map(toId).sort()).toEqual(all.map(toId).sort());
    const counts = rows.map(count);
    expect(counts).toEqual(counts.toSorted((a, b) => (direction === '-' ? b - a : a - b)));
  }
});

it('orders by rules under a filter by rules too', async () => {
  const asked = { sort: '-rules', rule: ['T1'], limit: 1000 };
  const { rows, total } = (await getReport(LOCAL_ADMIN, ID, 'bigkeys', asked)).report;
  expect(rows.length).toBe(total);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every((row) => row.violated!.includes('T1'))).toBe(true);
});

it('has no such order of keys that are no bigkeys', async () => {
  await expect(getReport(LOCAL_ADMIN, ID, 'keys', { sort: '-rules' })).rejects.toMatchObject({
    code: 'bad_request',
    details: { field: 'sort' },
  });
});
