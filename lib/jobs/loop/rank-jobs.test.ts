import { expect, it } from 'vitest';
import { chooseJobs, rankJobs } from './rank-jobs';

const job = (id: string, instanceId: string | null) => ({ id, instanceId });

it('puts the oldest first, but before it that of an instance on which fewer work when there is one', () => {
  expect(rankJobs({ queued: [], held: [] })).toEqual([]);
  expect(rankJobs({ queued: [job('1', 'a'), job('2', 'b')], held: [] })).toEqual(['1', '2']);
  expect(rankJobs({ queued: [job('1', 'a'), job('2', 'b'), job('3', 'c')], held: ['a'] })).toEqual(['2', '3', '1']);
  expect(rankJobs({ queued: [job('1', 'a'), job('2', 'b')], held: ['a', 'b', 'b'] })).toEqual(['1', '2']);
  expect(rankJobs({ queued: [job('1', 'a'), job('2', null)], held: ['a', null, null] })).toEqual(['2', '1']);
});

it('counts what stands before in the list as if somebody worked on it', () => {
  const queued = [job('1', 'a'), job('2', 'a'), job('3', 'b'), job('4', 'a'), job('5', null), job('6', null)];
  expect(rankJobs({ queued, held: [] })).toEqual(['1', '3', '5', '6', '2', '4']);
  expect(rankJobs({ queued, held: ['b', 'b'] })).toEqual(['1', '5', '6', '2', '3', '4']);
});

it('leaves alone what still runs here', () => {
  const view = { queued: [job('1', 'a'), job('2', 'b')], held: [] };
  expect(rankJobs(view, new Set(['1']))).toEqual(['2']);
});

const ANY = { labels: [] };
const queued = [job('1', 'a'), job('2', 'a'), job('3', 'b')];
type View = Parameters<typeof chooseJobs>[0];
const taken = (view: View, limits: Parameters<typeof chooseJobs>[1], slots: number) => {
  const { jobIds, maxJobs } = chooseJobs(view, limits, slots);
  return jobIds.slice(0, maxJobs);
};

it('fills the slots in order, and names those that come next when somebody was faster', () => {
  expect(taken({ queued, held: [], workers: 1 }, ANY, 9)).toEqual(['1', '3', '2']);
  expect(taken({ queued, held: ['b'], workers: 1 }, ANY, 2)).toEqual(['1', '2']);
  expect(taken({ queued, held: [], workers: 0 }, { ...ANY, excludedJobs: new Set(['1']) }, 2)).toEqual(['2', '3']);
  expect(taken({ queued: [], held: [], workers: 3 }, ANY, 4)).toEqual([]);
  expect(chooseJobs({ queued, held: [], workers: 3 }, ANY, 2)).toEqual({ jobIds: ['1', '3', '2'], maxJobs: 1 });
});

it('leaves the other workers their part', () => {
  const many = Array.from({ length: 12 }, (_, i) => job(`${i}`, `i${i}`));
  expect(taken({ queued: many, held: [], workers: 4 }, ANY, 9)).toHaveLength(3);
  expect(taken({ queued: many.slice(0, 2), held: [], workers: 4 }, ANY, 9)).toHaveLength(1);
  expect(taken({ queued: many, held: [], workers: 4 }, ANY, 2)).toHaveLength(2);
});
