import { afterEach, beforeEach, expect, it } from 'vitest';
import { generateArchiveName } from '@/lib/access/vault/archive-folder';
import { openArchiveWriter } from '@/lib/access/vault/archive-writer';
import { temporaryData } from '@/test/temporary-data';
import type { Candidate } from './candidate';
import { Estimator } from './estimate-plan';
import { countWorkingSeconds } from './measured-speed';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

const KEYS = 500;
const NEAR = { roundTripMs: null, measured: null };

it.each(['k', 'shop:user:', '用户:'])('an archive of small keys takes about what is estimated: %s', async (prefix) => {
  const estimator = new Estimator('fast', NEAR);
  const writer = await openArchiveWriter({ deletionId: 'd1', file: generateArchiveName('d1', 'small') });
  for (let seq = 0; seq < KEYS; seq++) {
    const name = Buffer.from(`${prefix}${seq}`);
    const values = [Buffer.from('field'), Buffer.from(`value ${seq}`)];
    const known = { db: 0, type: 'hash' as const, encoding: 'listpack', length: 1, expireAt: null };
    writer.writeKey({ seq, name, ...known, archivedAt: Date.now() });
    writer.writeChunk(seq, { type: 'hash', start: 0, elements: 1, values });
    writer.writeEnd({ seq, elements: 1 });
    const bytes = values.reduce((sum, value) => sum + value.length, 0);
    estimator.add({ ...known, nameBytes: name.length, bytes } as Candidate, 'archive');
  }
  const { bytes } = await writer.sync();
  await writer.seal();
  await writer.close();
  const { from, to } = estimator.buildEstimate().archiveBytes!;
  expect(from).toBeLessThanOrEqual(bytes);
  expect(to).toBeGreaterThanOrEqual(bytes);
  expect(to / from).toBeLessThan(1.5);
});

const large = { nameBytes: 8, type: 'hash', length: 1_000_000, bytes: 64_000_000 } as Candidate;
const makeEstimate = (speed: 'gentle' | 'fast', on: ConstructorParameters<typeof Estimator>[1]) => {
  const estimator = new Estimator(speed, on);
  estimator.add(large, 'archive');
  return estimator.buildEstimate();
};

it('takes longer over a distance, which is no work of the server', () => {
  const [near, far] = [makeEstimate('gentle', NEAR), makeEstimate('gentle', { ...NEAR, roundTripMs: 60 })];
  expect(far.reference!.seconds - near.reference!.seconds).toBeGreaterThan(4000 * 0.06);
  expect(far.serverMs).toEqual(near.serverMs);
});

it('narrows to what the last deletions of the instance took', () => {
  const measured = { deletions: 2, seconds: { from: 1.5, to: 2 }, serverMs: null };
  const [before, after] = [makeEstimate('fast', NEAR), makeEstimate('fast', { ...NEAR, measured })];
  expect(after.seconds!.from / before.reference!.seconds).toBeCloseTo(1.5, 0);
  expect(after.seconds!.to / before.reference!.seconds).toBeCloseTo(2, 0);
  expect(after.serverMs).toEqual(before.serverMs);
  expect([before.measuredOn, after.measuredOn]).toEqual([0, 2]);
});

it('counts no time between two runs', () => {
  const at = [0, 1, 2, 3, 103, 104, 105].map((s) => ({ at: s * 1000, removed: 0, latencyMs: null, chunk: null }));
  expect(countWorkingSeconds(at)).toBe(5);
  expect(countWorkingSeconds([])).toBe(0);
});
