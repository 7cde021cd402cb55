import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_EXPIRY, UNKNOWN } from '@/lib/model/snapshots/facts-page';
import { config } from '@/lib/runtime/config';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { insertSnapshot } from '@/lib/store/snapshots';
import { AS_OF, madeRows } from '@/test/snapshots/made-rows';
import { makeSealed } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { readNewestExpiryShare } from './audit-server';

let data: ReturnType<typeof temporaryData>;
beforeAll(() => {
  data = temporaryData();
});
afterAll(() => data.remove());

it.each([
  ['half of those that are known expire', [AS_OF + 1, NO_EXPIRY, UNKNOWN, UNKNOWN], 0.5],
  ['nothing is known', [UNKNOWN, UNKNOWN], null],
])('the share of keys that expire: %s', async (what, expiries, share) => {
  const id = what.replaceAll(' ', '-');
  const rows = madeRows(expiries.length);
  const some = expiries.map((expireAt, i) => ({ ...rows[i]!, expireAt }));
  const ref = await makeSealed(path.join(config.dataDir, 'snapshots'), id, some);
  await writeManifest(ref.dir, { ...ref.manifest, id, instanceId: id });
  const counts = { keys: some.length, bytes: null, bigkeys: null, noExpiryKeys: 0, fileBytes: null, partial: false };
  await insertSnapshot({ id, instanceId: id, jobId: null, state: 'sealed', startedAt: 1, endedAt: 2, ...counts });
  expect(await readNewestExpiryShare(id)).toBe(share);
  expect(await readNewestExpiryShare('none')).toBeNull();
});
