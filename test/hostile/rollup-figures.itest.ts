import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName } from '@/lib/model/reports/reports';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';

/** Keyspaces and filters for which the roll-up once had other figures than the keys. */
let root: string;
let clean: () => Promise<void>;
beforeAll(async () => {
  const folder = await dataFolder();
  root = folder.root;
  clean = folder.clean;
});
afterAll(() => clean());

let nth = 0;
async function stand(names: readonly string[], change: (row: MadeRow, i: number) => Partial<MadeRow> = () => ({})) {
  const made = madeRows(names.length, 9);
  const rows = names.map((name, i) => ({ ...made[i]!, ...change(made[i]!, i), bytesOfName: Buffer.from(name) }));
  const id = `stand${++nth}`;
  const keys = await makeSealed(root, `${id}-keys`, rows);
  const rolled = await makeSealed(root, `${id}-rolled`, rows, { fileRows: 400 });
  await makeRollup(rolled);
  return { keys, rolled };
}

async function agree({ keys, rolled }: Record<'keys' | 'rolled', SnapshotRef>, name: ReportName, query: ReportQuery) {
  const [said, meant] = [(await runReport(rolled, name, query)).report, (await runReport(keys, name, query)).report];
  expect(said, `${name} ${JSON.stringify(query)}`).toEqual(meant);
}

it('takes an id without a digit for an id, though it stands as it is', async () => {
  const names = Array.from(
    { length: 400 },
    (_, i) => `mail:${['ann', 'bob', 'eve'][i % 3]}@example.com:n${i}:${i % 7}`,
  );
  const refs = await stand([...names, 'mail:other:x', '__proto__@example.com:x:y']);
  await agree(refs, 'ttl', {});
  await agree(refs, 'idle', { days: 7 });
});

let expiring: ReturnType<typeof stand> | undefined;
const standOfExpiring = () => {
  const from = madeRows(1)[0]!;
  return stand(
    Array.from({ length: 500 }, (_, i) => `a:${i}`),
    (_, i) => ({ ...from, expireAt: Date.UTC(2026, 10, 20, 12) + [999, 1000, 1001, 9999, 10_000, 10_001][i % 6]! }),
  );
};

it.each([
  { ttlMax: 0.9999999999 },
  { ttlMin: 1, ttlMax: 9.9999999999 },
  { ttlMin: 1.0000000001 },
  { ttlMin: 0.9999999999 },
])('ends a class where the filter %j ends', async (query) => {
  expiring ??= standOfExpiring();
  await agree(await expiring, 'types', query);
  await agree(await expiring, 'ttl', query);
});
