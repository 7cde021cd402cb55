import { expect, it } from 'vitest';
import { rankJobs } from './rank-jobs';

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
