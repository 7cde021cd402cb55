import { expect, it } from 'vitest';
import { chooseJob } from './choose-job';

const job = (id: string, instanceId: string | null, label: string | null = null) => ({ id, instanceId, label });
const ANY = { labels: [], atOnce: null };

it('takes the oldest, but of an instance on which fewer work when there is one', () => {
  expect(chooseJob({ queued: [], held: [] }, ANY)).toBeNull();
  expect(chooseJob({ queued: [job('1', 'a'), job('2', 'b')], held: [] }, ANY)).toBe('1');
  expect(chooseJob({ queued: [job('1', 'a'), job('2', 'b'), job('3', 'c')], held: ['a'] }, ANY)).toBe('2');
  expect(chooseJob({ queued: [job('1', 'a'), job('2', 'b')], held: ['a', 'b', 'b'] }, ANY)).toBe('1');
  expect(chooseJob({ queued: [job('1', 'a'), job('2', null)], held: ['a', null, null] }, ANY)).toBe('2');
});

it('leaves alone what wants a label that this process has not', () => {
  const view = { queued: [job('1', 'a', 'eu'), job('2', 'b')], held: ['b'] };
  expect(chooseJob(view, ANY)).toBe('2');
  expect(chooseJob(view, { labels: ['us'], atOnce: null })).toBe('2');
  expect(chooseJob(view, { labels: ['us', 'eu'], atOnce: null })).toBe('1');
  expect(chooseJob({ queued: [job('1', 'a', 'eu')], held: [] }, ANY)).toBeNull();
});

it('takes none when all processes together hold as many as may be', () => {
  const view = { queued: [job('1', 'a')], held: ['b', null] };
  expect(chooseJob(view, { labels: [], atOnce: 2 })).toBeNull();
  expect(chooseJob(view, { labels: [], atOnce: 3 })).toBe('1');
});
