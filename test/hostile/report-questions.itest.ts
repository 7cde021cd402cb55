import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readSelectedKeys } from '@/lib/deletions/plan/read-selected-keys';
import type { ReportQuery } from '@/lib/model/reports/query';
import { ensureEvaluated } from '@/lib/rules/findings/read-findings';
import { getEffectivePolicy, toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { addTreeFindings } from '@/lib/rules/report/tree-findings';
import { addFindings } from '@/lib/scans/get-report';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { LanePool } from '@/lib/snapshots/query/lanes';
import { type SnapshotRef, type Source, withSource } from '@/lib/snapshots/query/with-source';
import { streamKeyExport } from '@/lib/snapshots/reports/export/stream-key-export';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { LONG } from '@/test/long-form.mjs';
import { type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';

/**
 * Report requests that nobody would send by hand: levels of many ids, paths of hundreds of segments, one text with two
 * possible meanings.
 */
let data: Awaited<ReturnType<typeof dataFolder>>;
const [row] = madeRows(1);
const named = (name: string): MadeRow => ({ ...row!, bytesOfName: Buffer.from(name), node: 0, db: 0 });
const policy = toPolicy(presets.get('default')!);

beforeAll(async () => {
  data = await dataFolder();
});
afterAll(() => data.clean());

/** Returns how many statements `use` sends, and its result. */
async function counting<T>(ref: SnapshotRef, use: (source: Source) => Promise<T>) {
  let statements = 0;
  const answer = await withSource(ref, (source) =>
    use({
      ...source,
      query: (sql, values) => {
        statements++;
        return source.query(sql, values);
      },
    }),
  );
  return { statements, answer };
}

it('findings beside a level of ids take as many statements for twenty children as for two', async () => {
  const level = (children: number) =>
    Array.from({ length: children * 4 }, (_, i) =>
      named(`user:${10 + (i % children)}:${i % 2 ? 'Name' : 'mail'}-${i}`),
    );
  const asked = async (id: string, rows: MadeRow[], query: ReportQuery) => {
    const { ref, compiled, meta } = await ensureEvaluated(await makeSealed(data.root, id, rows), policy);
    const { report } = await runReport(ref, 'tree', query);
    const { statements, answer } = await counting(ref, (source) =>
      addTreeFindings(source, compiled, meta!, query, report),
    );
    // If there are many children, only every tenth is tested. LONG=1: each of them.
    const step = LONG || answer.children.length < 10 ? 1 : 10;
    for (const child of answer.children.filter((_, i) => i % step === 0)) {
      const list = await runReport(ref, 'keys', { template: child.path, strength: ['mandatory'], limit: 1 });
      expect([child.path, child.findings?.mandatory]).toEqual([child.path, list.report.total]);
    }
    return { statements, children: answer.children.length };
  };
  const few = await asked('two-ids', level(2), { prefix: 'user:' });
  const many = await asked('twenty-ids', level(20), { prefix: 'user:' });
  const unfolded = await asked('unfolded-ids', level(90), { prefix: 'user:', fold: false });
  expect([few.children, many.children, unfolded.children]).toEqual([2, 20, 90]);
  expect([many.statements, unfolded.statements]).toEqual([few.statements, few.statements]);
});

it('findings beside a level are kept with its answer: asked again they ask no row', async () => {
  const temporary = temporaryData();
  const borrowed = vi.spyOn(LanePool.prototype, 'borrow');
  try {
    const rows = Array.from({ length: 12 }, (_, i) => named(`user:${i % 4}:Name-${i}`));
    const sealed = await makeSealed(data.root, 'passed', rows);
    const { ref } = await ensureEvaluated(sealed, await getEffectivePolicy(sealed.manifest.instanceId));
    const query = { prefix: 'user:', fold: false };
    const envelope = await runReport(ref, 'tree', query);
    const first = await addFindings(ref, 'tree', query, envelope);
    expect(first.report.children.map((child) => child.findings === null)).toEqual([false, false, false, false]);
    const asked = borrowed.mock.calls.length;
    expect(asked).toBeGreaterThan(0);
    expect(await addFindings(ref, 'tree', query, envelope)).toEqual(first);
    expect(borrowed).toHaveBeenCalledTimes(asked);
  } finally {
    borrowed.mockRestore();
    await temporary.remove();
  }
});

it('ids that end a name, and ids below a folded path, are counted too', async () => {
  const rows = ['1', '12', '12:x_Y', '123', 'word'].map((end) => named(`a:${end}`));
  const deep = Array.from({ length: 60 }, (_, i) => named(`d:${i}:${7 + (i % 3)}:Z_z`));
  const { ref, compiled, meta } = await ensureEvaluated(
    await makeSealed(data.root, 'ends', [...rows, ...deep]),
    policy,
  );
  for (const query of [{ prefix: 'a:' }, { template: 'd:{int}:' }, { prefix: 'a:1' }]) {
    const { report } = await runReport(ref, 'tree', query);
    const answer = await withSource(ref, (source) => addTreeFindings(source, compiled, meta!, query, report));
    expect(answer.children.length).toBeGreaterThan(2);
    expect([query, answer.children.filter((child) => child.findings === null)]).toEqual([query, []]);
  }
});

it('a path of hundreds of folded segments is refused at once, with what to do', async () => {
  const ref = await makeSealed(data.root, 'deep', [named('a:1:2')]);
  for (const delimiter of [undefined, '::']) {
    const asked = runReport(ref, 'keys', { template: `{int}${delimiter ?? ':'}`.repeat(400), delimiter });
    await expect(asked).rejects.toMatchObject({ code: 'bad_request', details: { field: 'template' } });
  }
  const { report } = await runReport(ref, 'keys', { template: '{int}:'.repeat(64) });
  expect(report.total).toBe(0);
});

it('a prefix is what names begin with in every report; only a template has folded ids', async () => {
  const ref = await makeSealed(data.root, 'braces', ['{int}:a', '{int}:b', '17:a', '18:a', '19:c'].map(named));
  const toKeys = async (name: 'tree' | 'overview', query: ReportQuery) =>
    (await runReport(ref, name, query)).report.keys;
  for (const name of ['tree', 'overview'] as const) {
    expect([name, await toKeys(name, { prefix: '{int}:' })]).toEqual([name, 2]);
    expect([name, await toKeys(name, { template: '{int}:' })]).toEqual([name, 3]);
    // With both filters, only keys that match both count.
    expect([name, await toKeys(name, { template: '{int}:', prefix: '1' })]).toEqual([name, 3]);
    expect([name, await toKeys(name, { template: '{int}:', prefix: '17' })]).toEqual([name, 1]);
    expect([name, await toKeys(name, { template: '', prefix: '17' })]).toEqual([name, 1]);
  }
  const { report } = await runReport(ref, 'tree', { prefix: '{int}:' });
  expect(report.children.map((child) => child.path)).toEqual(['\\{int}:a', '\\{int}:b']);
});

it('an export holds the keys that the list under the same delimiter shows', async () => {
  const ref = await makeSealed(data.root, 'slashes', ['u/1/a', 'u/2/b', 'u/x/c', 'u:1:a'].map(named));
  const query = { template: 'u/{int}/', delimiter: '/' };
  const { report } = await runReport(ref, 'keys', query);
  expect(report.rows.map((one) => one.name)).toEqual(['u/1/a', 'u/2/b']);
  const { stream } = await streamKeyExport(ref, query, 'jsonl');
  const lines = (await new Response(stream).text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).name)).toEqual(['u/1/a', 'u/2/b']);
});

it('a plan holds the keys that the list under the same delimiter shows', async () => {
  const temporary = temporaryData();
  try {
    const dir = getSnapshotFolder('slashes00');
    const { manifest } = await makeSealed(
      path.dirname(dir),
      'slashes00',
      ['u/1/a', 'u/2/b', 'u/x/c', 'u/1:a'].map(named),
    );
    await writeManifest(dir, { ...manifest, instanceId: 'i' });
    const names: string[] = [];
    const selection = {
      by: 'filter' as const,
      snapshotId: 'slashes00',
      filter: { template: 'u/{int}/' },
      delimiter: '/',
    };
    for await (const page of readSelectedKeys('i', selection))
      for (const one of page) names.push('name' in one ? one.name : one.tooLong);
    expect(names).toEqual(['u/1/a', 'u/2/b']);
  } finally {
    await temporary.remove();
  }
});
