import { expect, it } from 'vitest';
import { chooseJobs } from './choose-jobs';

const job = (id: string, instanceId: string | null, label: string | null = null) => ({ id, instanceId, label });
const ANY = { labels: [], atOnce: null };
const queued = [job('1', 'a'), job('2', 'a'), job('3', 'b'), job('4', 'c', 'eu')];

it('fills the slots, each job chosen as if the ones before were held', () => {
  expect(chooseJobs({ queued, held: [], workers: 1 }, ANY, 9)).toEqual(['1', '3', '2']);
  expect(chooseJobs({ queued, held: ['b'], workers: 1 }, ANY, 2)).toEqual(['1', '2']);
  expect(chooseJobs({ queued, held: [], workers: 0 }, { labels: ['eu'], atOnce: null }, 2)).toEqual(['1', '3']);
  expect(chooseJobs({ queued, held: ['b', 'c'], workers: 1 }, { labels: [], atOnce: 3 }, 9)).toEqual(['1']);
  expect(chooseJobs({ queued: [], held: [], workers: 3 }, ANY, 4)).toEqual([]);
});

it('leaves the other workers their part', () => {
  const many = Array.from({ length: 12 }, (_, i) => job(`${i}`, `i${i}`));
  expect(chooseJobs({ queued: many, held: [], workers: 4 }, ANY, 9)).toHaveLength(3);
  expect(chooseJobs({ queued: many.slice(0, 2), held: [], workers: 4 }, ANY, 9)).toHaveLength(1);
  expect(chooseJobs({ queued: many, held: [], workers: 4 }, ANY, 2)).toHaveLength(2);
});
