import { expect, it } from 'vitest';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { putPresence } from '@/lib/store/workers';
import { temporaryData } from '@/test/temporary-data';
import { waitForEvaluation } from './wait-for-evaluation';

const sign = { host: 'h', pid: 1, labels: [], version: '1', keyId: 'k', jobs: 1, running: 0 };
const buildRef = (dir: string, more: Partial<SnapshotRef>) =>
  ({ dir, manifest: { id: 's', endedAt: 1, keys: 1 }, ...more }) as SnapshotRef;

it('waits no longer for a reader that has gone', async () => {
  const data = temporaryData();
  try {
    await putPresence({ ...sign, id: 'worker', role: 'worker' });
    const ref = buildRef(data.dir, { signal: AbortSignal.abort() });
    await expect(waitForEvaluation(ref, await getEffectivePolicy(null))).rejects.toMatchObject({ name: 'AbortError' });
  } finally {
    await data.remove();
  }
});

it('says that no worker is running, for as long as none has given a sign of life', async () => {
  const data = temporaryData();
  try {
    const policy = await getEffectivePolicy(null);
    const ref = buildRef(data.dir, { checkedWithinMs: 0 });
    await expect(waitForEvaluation(ref, policy)).rejects.toMatchObject({ code: 'no_worker' });
    await putPresence({ ...sign, id: 'web', role: 'web' });
    await expect(waitForEvaluation(ref, policy)).rejects.toMatchObject({ code: 'no_worker' });
    await putPresence({ ...sign, id: 'worker', role: 'worker' });
    await expect(waitForEvaluation(ref, policy)).rejects.toMatchObject({ code: 'snapshot_checking' });
  } finally {
    await data.remove();
  }
});
