import { afterEach, beforeEach, expect, it } from 'vitest';
import { archiveFile } from '@/lib/vault/archive-folder';
import { openArchiveWriter } from '@/lib/vault/archive-writer';
import { temporaryData } from '@/test/temporary-data';
import type { Candidate } from './candidate';
import { Estimator } from './estimate-plan';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

const KEYS = 500;

it.each(['k', 'shop:user:', '用户:'])('an archive of small keys takes about what is estimated: %s', async (prefix) => {
  const estimator = new Estimator('fast');
  const writer = await openArchiveWriter({ deletionId: 'd1', file: archiveFile('d1', 'small') });
  for (let seq = 0; seq < KEYS; seq++) {
    const name = Buffer.from(`${prefix}${seq}`);
    const values = [Buffer.from('field'), Buffer.from(`value ${seq}`)];
    const known = { db: 0, type: 'hash' as const, encoding: 'listpack', length: 1, expireAt: null };
    writer.key({ seq, name, ...known, archivedAt: Date.now() });
    writer.chunk(seq, { type: 'hash', start: 0, elements: 1, values });
    writer.end({ seq, elements: 1 });
    const bytes = values.reduce((sum, value) => sum + value.length, 0);
    estimator.add({ ...known, nameBytes: name.length, bytes } as Candidate, 'archive');
  }
  const { bytes } = await writer.sync();
  await writer.seal();
  await writer.close();
  const share = estimator.result().archiveBytes! / bytes;
  expect(share).toBeGreaterThan(0.9);
  expect(share).toBeLessThan(1.15);
});
