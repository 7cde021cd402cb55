import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { evaluateSoon } from '@/lib/rules/findings/evaluate-soon';
import { config } from '@/lib/runtime/config';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { insertInstanceRow } from '@/lib/store/instances';
import { putExemptionRow } from '@/lib/store/policies/exemptions';
import { insertSnapshot } from '@/lib/store/snapshots';
import { madeRows } from '@/test/snapshots/made-rows';
import { makeSealed } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { getFleet } from './get-fleet';

let data: ReturnType<typeof temporaryData>;
beforeAll(() => {
  data = temporaryData();
});
afterAll(() => {
  vi.useRealTimers();
  return data.remove();
});

it('what an exemption excused comes back when it ends, without a new scan', async () => {
  const settings = InstanceSettings.parse({ name: 'i', topology: 'standalone', endpoints: [{ host: 'h', port: 1 }] });
  const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
  await insertInstanceRow({ id: 'i1', settings, sealed, createdAt: 1, updatedAt: 1 });
  const ref = await makeSealed(path.join(config.dataDir, 'snapshots'), 's1', madeRows(2000));
  await writeManifest(ref.dir, { ...ref.manifest, id: 's1', instanceId: 'i1' });
  const counts = { keys: ref.manifest.keys, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  const row = { id: 's1', instanceId: 'i1', jobId: null, state: 'sealed' as const, startedAt: 1, endedAt: 2 };
  await insertSnapshot({ ...row, partial: false, ...counts });
  const expiresAt = Date.now() + 3_600_000;
  const place = { prefixes: [''], patterns: [] };
  const all = { rules: '*' as const, ...place, owner: 'x', reason: 'y', instanceId: 'i1', expiresAt };
  await putExemptionRow({ ...all, id: 'e1', createdAt: 1, createdBy: 'x' });
  await evaluateSoon('i1');
  expect((await getFleet(LOCAL_ADMIN))[0]).toMatchObject({ findings: { mandatory: 0 } });

  vi.useFakeTimers({ toFake: ['Date'], now: expiresAt + 5 });
  // The old score must not be shown, and the state lasts only until the evaluation has ended.
  expect((await getFleet(LOCAL_ADMIN))[0]).toMatchObject({ score: null, findings: null });
  await evaluateSoon('i1');
  const [after] = await getFleet(LOCAL_ADMIN);
  expect(after?.findings?.mandatory).toBeGreaterThan(100);
  expect(after?.score).toBeLessThan(100);
});
