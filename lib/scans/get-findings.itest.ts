import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { writeManifest } from '@/lib/snapshots/manifest';
import { insertSnapshot } from '@/lib/store/snapshots';
import { AS_OF, type MadeRow } from '@/test/snapshots/made-rows';
import { makeSealed } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { getFindings, getRuleFindings } from './get-findings';
import { snapshotFolder } from './snapshot-folder';

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

async function sealed(id: string, startedAt: number, names: string[]) {
  const { dir, manifest } = await makeSealed(path.dirname(snapshotFolder(id)), id, names.map(row));
  await writeManifest(dir, { ...manifest, id, instanceId: 'i', startedAt, endedAt: startedAt + 10 });
  await insertSnapshot({
    id,
    instanceId: 'i',
    jobId: null,
    state: 'sealed',
    startedAt,
    endedAt: startedAt + 10,
    keys: names.length,
    bytes: null,
    bigkeys: null,
    noExpiryKeys: null,
    partial: false,
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
      // Compared and without a change is not the same as not compared.
      expect(report.rules.find((rule) => rule.rule === 'T1')?.change).toEqual({
        newKeys: 0,
        fixedKeys: 0,
        goneKeys: 0,
      });
    },
    { timeout: 10_000, interval: 100 },
  );
  const { report } = await getRuleFindings(LOCAL_ADMIN, 'after000', 'N10', {});
  expect(report.finding.change).toEqual({ newKeys: 2, fixedKeys: 0, goneKeys: 1 });
  // A part of the keyspace has no comparison of its own.
  const part = await getFindings(LOCAL_ADMIN, 'after000', { prefix: 'a:' });
  expect(part.report.rules.every((rule) => rule.change === null)).toBe(true);
});
