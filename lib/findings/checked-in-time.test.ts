import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { RulesMeta } from '@/lib/findings/policy/rules-folder';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { inTime } from './checked-in-time';
import { notePreparation } from './evaluate/preparations';

const META = { hash: 'h' } as RulesMeta;
const dir = '/data/snapshots/one';
const asked = (checkedWithinMs?: number) =>
  ({ dir, manifest: { id: 'one' }, ...(checkedWithinMs !== undefined && { checkedWithinMs }) }) as SnapshotRef;
const after = async (ms: number) => {
  await sleep(ms);
  return META;
};

afterEach(() => notePreparation(dir, null));

it('gives what comes in time, and waits as long as it takes for who sets no time', async () => {
  expect(await inTime(asked(5_000), after(1))).toBe(META);
  expect(await inTime(asked(), after(60))).toBe(META);
});

it('says how far it is after the time, and lets the evaluation go on', async () => {
  const evaluation = after(80);
  notePreparation(dir, { task: 'evaluate', waiting: false, share: 0.427 });
  const late = inTime(asked(5), evaluation);
  await expect(late).rejects.toMatchObject({
    code: 'snapshot_checking',
    message: 'The rules are being asked of all keys (42 %). Try again in a moment.',
    details: { id: 'one', share: 0.427, retryAfterSeconds: 5 },
  });
  expect(await evaluation).toBe(META);
});

it('knows no share of another process, nor takes that of the sums for it', async () => {
  notePreparation(dir, { task: 'roll-up', waiting: false, share: 0.9 });
  await expect(inTime(asked(1), after(40))).rejects.toMatchObject({ details: { share: null } });
});

it('fails as the evaluation does, and not at all when that fails late', async () => {
  const failing = async (ms: number): Promise<RulesMeta> => {
    await sleep(ms);
    throw new Error('disk');
  };
  await expect(inTime(asked(1_000), failing(1))).rejects.toThrow('disk');
  await expect(inTime(asked(1), failing(20))).rejects.toMatchObject({ code: 'snapshot_checking' });
  await sleep(40);
});
