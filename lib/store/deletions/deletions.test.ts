import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import { temporaryData } from '@/test/temporary-data';
import { getStoredDeletion, insertDeletion } from './deletions';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

const listed = [{ reason: { code: 'protected', params: {} }, keys: 2, examples: ['a'] }];
const plan = { id: 'd1', instanceId: 'i1', task: 'delete', createdAt: 1, createdBy: 'test' };

it.each([
  ['as it is called now', { excluded: listed }, listed],
  ['as it was called', { leftOut: listed }, listed],
  ['before it was noted', {}, []],
])('the list of excluded keys is read %s', async (_what, stored, expected) => {
  await insertDeletion({ ...plan, ...stored } as unknown as DeletionPlan);
  const read = await getStoredDeletion('d1');
  expect(read?.plan.excluded).toEqual(expected);
  expect(read?.plan).not.toHaveProperty('leftOut');
});
