import { expect, it } from 'vitest';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { putPresence } from '@/lib/store/workers';
import { temporaryData } from '@/test/temporary-data';
import { waitForEvaluation } from './wait-for-evaluation';

it('says that no worker is running, for as long as none has given a sign of life', async () => {
  const data = temporaryData();
  try {
    const policy = await getEffectivePolicy(null);
    const ref = { dir: data.dir, manifest: { id: 's', endedAt: 1, keys: 1 }, checkedWithinMs: 0 } as SnapshotRef;
    await expect(waitForEvaluation(ref, policy)).rejects.toMatchObject({ code: 'no_worker' });
    const sign = { host: 'h', pid: 1, labels: [], version: '1', keyId: 'k', jobs: 1, running: 0 };
    await putPresence({ ...sign, id: 'web', role: 'web' });
    await expect(waitForEvaluation(ref, policy)).rejects.toMatchObject({ code: 'no_worker' });
    await putPresence({ ...sign, id: 'worker', role: 'worker' });
    await expect(waitForEvaluation(ref, policy)).rejects.toMatchObject({ code: 'snapshot_checking' });
  } finally {
    await data.remove();
  }
});
