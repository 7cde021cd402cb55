// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ScheduleInput } from '@/lib/model/schedules/schedule';
import { savedTable } from '@/test/saved-table';
import { showPage, stubApi } from '@/test/show-page';
import { SchedulesPage } from './schedules-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = Date.parse('2026-05-01T03:10:00Z');
const INPUT = ScheduleInput.parse({
  name: 'nightly',
  cron: '10 3 * * 1-5',
  zone: 'Asia/Shanghai',
  targets: { by: 'tags', tags: ['shop'] },
});
const SCHEDULE = { ...INPUT, id: 's1', by: 'ada', createdAt: 1, updatedAt: 1, nextAt: AT, instances: [] };
const RUN = {
  ...{ scheduleId: 's1', scheduleName: 'nightly', instanceId: 'i1', instanceName: 'shop', dueAt: AT, startAt: AT },
  ...{ state: 'skipped', reason: 'running', jobId: null, jobState: null, missedSince: null },
};
const TIME = { scheduleId: 's1', name: 'nightly', dueAt: AT, startsFrom: AT, startsTo: AT, instances: 2 };

const stub = (schedules: object[]) =>
  stubApi({
    '/api/schedules': { schedules },
    '/api/schedules/next': { from: AT - 1, to: AT + 86_400_000, times: [{ ...TIME, skipped: 'blackout' }] },
    '/api/schedules/runs': {
      runs: [RUN, { ...RUN, dueAt: AT - 1, state: 'started', jobId: 'j1', jobState: 'failed' }],
    },
  });

it('says in words when a schedule is due, what will be skipped, what was, and why', async () => {
  stub([SCHEDULE]);
  showPage(<SchedulesPage />, { path: '/schedules' });
  const words = 'Every Monday, Tuesday, Wednesday, Thursday, and Friday at 03:10';
  expect(await screen.findByText(words)).toBeTruthy();
  const day = await screen.findByRole('list', { name: 'Due times of the next 24 hours' });
  expect(within(day).getByText(/^nightly: \d\d:\d\d, will be skipped \(blackout\)$/)).toBeTruthy();
  expect(await screen.findAllByText('Another scan of the instance was running.')).toHaveLength(2);
  expect(screen.getByRole('link', { name: 'Failed' }).getAttribute('href')).toBe('/jobs/j1');
  const { lines } = await savedTable('Export this list: Schedules');
  expect(lines[1]).toContain(`nightly,"${words}"`);
});

it('offers the first schedule where there is none', async () => {
  stub([]);
  showPage(<SchedulesPage />, { path: '/schedules' });
  expect(await screen.findByText('No schedules yet')).toBeTruthy();
  expect(screen.queryByText('Next 24 hours')).toBeNull();
});
