import { expect, it } from 'vitest';
import { claimDelays, heldByTwo, heldTimes, restartWaits, takeovers } from './fleet-figures';
import type { LeaseEvent } from './lease-log';

const event = (atMs: number, job: string, state: string, fence: number, pid: number | null): LeaseEvent => ({
  atMs,
  job,
  state,
  fence,
  pid,
  owner: pid === null ? null : `host/${pid}/a/b`,
});

it('finds two holders of one lease and a write under an older one, and nothing where there is nothing', () => {
  const well = [event(0, 'a', 'running', 1, 10), event(5, 'a', 'queued', 1, null), event(9, 'a', 'running', 2, 11)];
  expect(heldByTwo(well)).toEqual([]);
  expect(heldByTwo([...well, event(10, 'a', 'running', 2, 12)])).toEqual(['a']);
  expect(heldByTwo([...well, event(10, 'a', 'succeeded', 1, 10)])).toEqual(['a']);
});

it('tells how long what a killed process held stood still', () => {
  const events = [
    event(0, 'a', 'running', 1, 10),
    event(0, 'b', 'running', 1, 10),
    event(50, 'b', 'succeeded', 1, 10),
    event(0, 'c', 'running', 1, 11),
    event(31_000, 'a', 'running', 2, 11),
  ];
  expect(takeovers(events, [{ pid: 10, atMs: 1000 }])).toEqual([30]);
  expect(takeovers(events, [{ pid: 11, atMs: 1000 }])).toEqual([Number.POSITIVE_INFINITY]);
});

it('counts the wait of what was asked for at a quiet time', () => {
  const events = [
    event(130, 'a', 'running', 1, 10),
    event(900, 'a', 'running', 2, 11),
    event(700, 'b', 'running', 1, 10),
  ];
  const jobs = [
    { id: 'a', createdMs: 100 },
    { id: 'b', createdMs: 600 },
    { id: 'never', createdMs: 100 },
  ];
  expect(claimDelays(events, jobs, (at) => at < 500)).toEqual([30]);
});

it('tells how long after a restart a job is taken, not one that goes on', () => {
  const events = [
    event(0, 'a', 'running', 1, 10),
    event(2100, 'a', 'waiting', 1, 10),
    event(2500, 'b', 'running', 1, 10),
    event(2900, 'a', 'running', 2, 11),
  ];
  const restart = (backMs: number) => ({ killedMs: backMs - 1500, backMs });
  expect(restartWaits(events, [restart(2000), restart(2600)])).toEqual([0.5, 0.3]);
  expect(restartWaits(events, [restart(3000)])).toEqual([Number.POSITIVE_INFINITY]);
});

it('tells when somebody held one of the jobs', () => {
  const events = [
    event(10, 'a', 'running', 1, 10),
    event(15, 'other', 'running', 1, 10),
    event(20, 'b', 'running', 1, 11),
    event(30, 'a', 'succeeded', 1, null),
    event(40, 'b', 'queued', 1, null),
    event(45, 'b', 'cancelled', 1, null),
    event(50, 'b', 'running', 2, 12),
  ];
  expect(heldTimes(events, new Set(['a', 'b']))).toEqual([
    { fromMs: 10, toMs: 40 },
    { fromMs: 50, toMs: Number.POSITIVE_INFINITY },
  ]);
  expect(heldTimes(events, new Set(['none']))).toEqual([]);
});
