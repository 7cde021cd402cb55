import { expect, it } from 'vitest';
import { chooseJobs } from './choose-jobs';

const job = (id: string, instanceId: string | null) => ({ id, instanceId });
const ANY = { labels: [] };
const queued = [job('1', 'a'), job('2', 'a'), job('3', 'b')];
type View = Parameters<typeof chooseJobs>[0];
const taken = (view: View, limits: Parameters<typeof chooseJobs>[1], slots: number) => {
  const { ids, max } = chooseJobs(view, limits, slots);
  return ids.slice(0, max);
};

it('fills the slots in order, and names those that come next when somebody was faster', () => {
  expect(taken({ queued, held: [], workers: 1 }, ANY, 9)).toEqual(['1', '3', '2']);
  expect(taken({ queued, held: ['b'], workers: 1 }, ANY, 2)).toEqual(['1', '2']);
  expect(taken({ queued, held: [], workers: 0 }, { ...ANY, except: new Set(['1']) }, 2)).toEqual(['2', '3']);
  expect(taken({ queued: [], held: [], workers: 3 }, ANY, 4)).toEqual([]);
  expect(chooseJobs({ queued, held: [], workers: 3 }, ANY, 2)).toEqual({ ids: ['1', '3', '2'], max: 1 });
});

it('leaves the other workers their part', () => {
  const many = Array.from({ length: 12 }, (_, i) => job(`${i}`, `i${i}`));
  expect(taken({ queued: many, held: [], workers: 4 }, ANY, 9)).toHaveLength(3);
  expect(taken({ queued: many.slice(0, 2), held: [], workers: 4 }, ANY, 9)).toHaveLength(1);
  expect(taken({ queued: many, held: [], workers: 4 }, ANY, 2)).toHaveLength(2);
});
