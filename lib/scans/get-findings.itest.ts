import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import type { ReportQuery } from '@/lib/model/reports/query';
import { isLimitedScan } from '@/lib/model/snapshots/is-limited-scan';
import type { ScanOptions } from '@/lib/model/snapshots/scan';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { insertSnapshot } from '@/lib/store/snapshots';
import { AS_OF, type MadeRow } from '@/test/snapshots/made-rows';
import { makeSealed } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { getFindings, getRuleFindings } from './get-findings';
import { getReport } from './get-report';

let data: ReturnType<typeof temporaryData>;
beforeAll(() => {
  data = temporaryData();
});
afterAll(() => data.remove());

const row = (name: string): MadeRow => ({
  bytesOfName: Buffer.from(name),
  node: 0,
  db: 0,
  type: 'string',
  encoding: 'raw',
  expireAt: AS_OF + 86_400_000,
  bytes: 100,
  length: 50,
  idle: 1,
  freq: -1,
});

interface Scope {
  instanceId?: string;
  options?: Partial<ScanOptions>;
  partial?: boolean;
}

async function sealed(id: string, startedAt: number, names: string[], scope: Scope = {}) {
  const { instanceId = 'i', partial = false } = scope;
  const { dir, manifest } = await makeSealed(path.dirname(getSnapshotFolder(id)), id, names.map(row));
  const options = { ...manifest.options, ...scope.options };
  const coverage = { ...manifest.coverage, partial };
  await writeManifest(dir, { ...manifest, id, instanceId, startedAt, endedAt: startedAt + 10, options, coverage });
  await insertSnapshot({
    id,
    instanceId,
    jobId: null,
    state: 'sealed',
    startedAt,
    endedAt: startedAt + 10,
    keys: names.length,
    bytes: null,
    bigkeys: null,
    noExpiryKeys: null,
    partial,
    isPart: isLimitedScan(options),
    fileBytes: null,
  });
}

it('tells what is new, fixed and gone since the snapshot before, once it is compared', async () => {
  await sealed('before00', AS_OF - 2000, ['a:b_c:1', 'a:b_c:2', 'a:ok:1']);
  await sealed('after000', AS_OF - 1000, ['a:b_c:2', 'a:b_d:9', 'a:b_d:8', 'a:ok:1']);
  const first = await getFindings(LOCAL_ADMIN, 'before00', {});
  expect(first.report.previous).toBeNull();

  const asked = await getFindings(LOCAL_ADMIN, 'after000', {});
  expect(asked.report.previous).toMatchObject({ snapshotId: 'before00', score: first.report.score.score });
  await vi.waitFor(
    async () => {
      const { report } = await getFindings(LOCAL_ADMIN, 'after000', {});
      const n10 = report.rules.find((rule) => rule.rule === 'N10');
      expect(n10?.change).toEqual({ newKeys: 2, fixedKeys: 0, goneKeys: 1 });
      // "Compared without a change" differs from "not compared".
      expect(report.rules.find((rule) => rule.rule === 'T1')?.change).toEqual({
        newKeys: 0,
        fixedKeys: 0,
        goneKeys: 0,
      });
    },
    { timeout: 60_000, interval: 100 },
  );
  const { report } = await getRuleFindings(LOCAL_ADMIN, 'after000', 'N10', {});
  expect(report.finding.change).toEqual({ newKeys: 2, fixedKeys: 0, goneKeys: 1 });
  // A filter by size is not compared: a key may be new in it only because it grew.
  const part = await getFindings(LOCAL_ADMIN, 'after000', { prefix: 'a:', bytesMin: 1 });
  expect([part.report.previous, part.report.rules.every((rule) => rule.change === null)]).toEqual([null, true]);
});

it('tells of a prefix, a folded path and nobody’s keys what is new, fixed and gone there', async () => {
  const asked = [
    [{ prefix: 'a:b_d:' }, { newKeys: 2, fixedKeys: 0, goneKeys: 0 }],
    [{ prefix: 'a:b_c' }, { newKeys: 0, fixedKeys: 0, goneKeys: 1 }],
    [{ template: 'a:b_d:{int}' }, { newKeys: 2, fixedKeys: 0, goneKeys: 0 }],
    [
      { template: 'a:b_c:{int}', prefix: 'a:' },
      { newKeys: 0, fixedKeys: 0, goneKeys: 1 },
    ],
    [{ template: 'a:b_d:{uuid}' }, { newKeys: 0, fixedKeys: 0, goneKeys: 0 }],
    [{ owner: '-' }, { newKeys: 2, fixedKeys: 0, goneKeys: 1 }],
    [{ owner: 'somebody' }, { newKeys: 0, fixedKeys: 0, goneKeys: 0 }],
  ] as const;
  for (const [query, change] of asked) {
    await vi.waitFor(
      async () => {
        const { report } = await getFindings(LOCAL_ADMIN, 'after000', query);
        expect(report.previous).toMatchObject({ snapshotId: 'before00', score: null, mandatoryKeys: null });
        expect([query, report.rules.find((rule) => rule.rule === 'N10')?.change]).toEqual([query, change]);
      },
      { timeout: 60_000, interval: 50 },
    );
    const { report } = await getRuleFindings(LOCAL_ADMIN, 'after000', 'N10', query);
    expect([query, report.finding.change]).toEqual([query, change]);
  }
});

it('compares snapshots of the whole keyspace only, and gives a score to no other', async () => {
  const instanceId = 'parts';
  const names = ['a:b_c:1', 'b:b_c:2'];
  await sealed('whole001', AS_OF - 9000, names, { instanceId });
  await sealed('prefix01', AS_OF - 8000, ['a:b_c:1'], { instanceId, options: { match: 'a:' } });
  await sealed('part0001', AS_OF - 7000, ['a:b_c:1'], { instanceId, partial: true });
  await sealed('onedb001', AS_OF - 6000, names, { instanceId, options: { databases: [0] } });
  await sealed('whole002', AS_OF - 5000, names, { instanceId });
  await sealed('prefix02', AS_OF - 4000, ['a:b_c:1'], { instanceId, options: { match: 'a:' } });
  await sealed('part0002', AS_OF - 3000, names, { instanceId, partial: true });
  const findPrevious = async (id: string) =>
    (await getFindings(LOCAL_ADMIN, id, {})).report.previous?.snapshotId ?? null;
  expect(await findPrevious('whole002')).toBe('whole001');
  for (const id of ['whole001', 'prefix01', 'prefix02', 'part0001', 'onedb001', 'part0002'])
    expect([id, await findPrevious(id)]).toEqual([id, null]);
  const readScore = async (id: string) => {
    const { score, total, owners } = (await getFindings(LOCAL_ADMIN, id, {})).report;
    return [score.score === null, score.reason, total.keys, owners.every((owner) => owner.score === null)];
  };
  expect(await readScore('whole002')).toEqual([false, null, 2, true]);
  for (const [id, keys] of [
    ['prefix02', 1],
    ['onedb001', 2],
  ] as const)
    expect(await readScore(id)).toEqual([true, 'part', keys, true]);
});

it('orders a level of the tree by what the rules find in it, page by page', async () => {
  const words = 'amber birch cedar delta ember flint grove heron inlet jetty'.split(' ');
  // Of the hundred keys below each `word:`, more and more violate a rule about names.
  const names = words.flatMap((word, i) =>
    Array.from({ length: 100 }, (_, j) => (j < i * 10 ? `${word}:n x${j}` : `${word}:n:x${j}`)),
  );
  await sealed('bylevel0', 1, names);
  await getFindings(LOCAL_ADMIN, 'bylevel0', {});
  const level = async (query: ReportQuery) => (await getReport(LOCAL_ADMIN, 'bylevel0', 'tree', query)).report;
  const unordered = await level({ nested: 'bytes' });
  expect(unordered.children.map(({ findings }) => findings?.mandatory)).toContain(90);
  const whole = await level({ sort: '-findings', nested: 'bytes' });
  expect(whole.children.map(({ segment }) => segment)).toEqual(words.toReversed());
  const found = whole.children.map(({ findings }) => findings!.mandatory);
  expect(found).toEqual(found.toSorted((a, b) => b - a));
  const paged: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await level({ sort: 'findings', limit: 3, ...(cursor && { cursor }) });
    expect([page.offset, page.childCount, page.sort]).toEqual([paged.length, words.length, 'findings']);
    expect(page.rest?.nodes ?? 0).toBe(words.length - page.children.length);
    paged.push(...page.children.map(({ segment }) => segment));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(paged).toEqual(words);
  const { nextCursor, children } = await level({ match: 'c*', sort: '-findings' });
  expect([nextCursor, children.map(({ segment }) => segment)]).toEqual([null, ['cedar']]);
});
