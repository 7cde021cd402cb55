// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useJobs } from '@/components/data/queries/use-jobs';
import { JobProgress } from '@/components/scans/job-progress';
import type { Job } from '@/lib/model/job';
import { refused, showPage, stubApi } from '@/test/show-page';
import { JobEvents } from './job-events';
import { ServerSilent } from './server-silent';

/** The streams that the page has opened. The test decides what each of them sends. */
let streams: Stream[] = [];
class Stream extends EventTarget {
  isClosed = false;
  constructor() {
    super();
    streams.push(this);
  }
  close() {
    this.isClosed = true;
  }
  say(type: string, data = '{}') {
    act(() => void this.dispatchEvent(new MessageEvent(type, { data })));
  }
}

beforeEach(() => {
  streams = [];
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12, 0, 0) });
  vi.stubGlobal('EventSource', Stream);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const JOB = {
  ...{ id: 'j1', kind: 'scan', state: 'running', reason: null, cost: null, error: null, endedAt: null },
  ...{ startedAt: Date.UTC(2026, 0, 1, 11, 59, 0), updatedAt: Date.UTC(2026, 0, 1, 12, 0, 0) },
  progress: { phase: 'scanning', done: 10, total: 100, unit: 'keys', ratePerSecond: 3997, etaSeconds: 51, nodes: [] },
} as unknown as Job;

const show = () =>
  showPage(
    <>
      <ServerSilent />
      <JobProgress job={JOB} />
      <JobEvents />
    </>,
  );
const seconds = (count: number) => act(() => vi.advanceTimersByTimeAsync(count * 1000));
const banner = () => screen.queryByRole('alert')?.textContent ?? null;
const readFact = (label: string) => screen.getByText(label).nextElementSibling?.textContent;
const dead = () => {
  throw new TypeError('Failed to fetch');
};

it('says since when a stopped server has not answered, and takes rate and remaining time away', async () => {
  stubApi({ '/api/session': () => new Promise(() => {}) });
  show();
  await seconds(1);
  streams[0]?.say('open');
  await seconds(1);
  streams[0]?.say('heartbeat');
  expect([readFact('Rate'), readFact('Remaining'), banner()]).toEqual(['3,997/s', '51 s', null]);
  await seconds(3);
  expect(banner()).toBeNull();
  await seconds(1);
  expect(banner()).toContain('has not answered since 12:00:02');
  expect([readFact('Rate'), readFact('Remaining')]).toEqual(['— unknown', '— unknown']);
  expect(readFact('Elapsed')).toBe('1 m');
  expect(document.documentElement.hasAttribute('data-silent')).toBe(true);
  // The connection may be cut without either end noticing, so another one is opened.
  expect(streams[0]?.isClosed).toBe(true);
  await seconds(2);
  expect(streams).toHaveLength(2);
  streams[1]?.say('heartbeat');
  expect([readFact('Rate'), banner()]).toEqual(['3,997/s', null]);
  expect(document.documentElement.hasAttribute('data-silent')).toBe(false);
});

it('says it of a server that has ended, but not of one that only refuses the stream', async () => {
  let answer: () => unknown = () => refused('busy', 503);
  stubApi({ '/api/session': () => answer() });
  show();
  const refuse = async () => {
    await seconds(1);
    const last = streams.at(-1);
    if (last && !last.isClosed) last.say('error');
  };
  for (let i = 0; i < 10; i++) await refuse();
  expect(banner()).toBeNull();
  answer = dead;
  for (let i = 0; i < 7; i++) await refuse();
  expect(banner()).toContain('has not answered since');
});

it('takes what a proxy answers in place of the server for no answer', async () => {
  stubApi({ '/api/session': () => new Response('<h1>Bad gateway</h1>', { status: 502 }) });
  show();
  for (let i = 0; i < 7; i++) {
    await seconds(1);
    streams.at(-1)?.say('error');
  }
  expect(banner()).toContain('has not answered since');
});

const Jobs = () => <p>{useJobs().data?.length ?? 'none'} jobs</p>;

it('reads the jobs again when the stream breaks, until it is back, and never polls them', async () => {
  const asked = stubApi({ '/api/jobs': { jobs: [] } });
  showPage(
    <>
      <Jobs />
      <JobEvents />
    </>,
  );
  const countReads = () => asked.filter(({ pathname }) => pathname === '/api/jobs').length;
  await seconds(1);
  streams.at(-1)?.say('open');
  for (let i = 0; i < 60; i++) {
    streams.at(-1)?.say('heartbeat');
    await seconds(1);
  }
  expect([streams.length, countReads()]).toEqual([1, 1]);
  streams.at(-1)?.say('error');
  await seconds(0);
  expect(countReads()).toBe(2);
  await seconds(2);
  streams.at(-1)?.say('open');
  await seconds(0);
  expect([streams.length, countReads()]).toEqual([2, 3]);
});
