import { handle } from '@/lib/http/handle';
import { PreviewQuery, RunsQuery, ScheduleInput } from '@/lib/model/schedules/schedule';
import { listPlannedTimes, listScheduleRuns, listSchedules, readDueTimes } from '@/lib/schedules/list-schedules';
import { addSchedule, removeSchedule, updateSchedule } from '@/lib/schedules/save-schedule';

export const scheduleRoutes = [
  handle('GET /api/schedules', {
    summary: 'List the schedules that scan an instance that you may see.',
    answer: 'schedules: each with its instances, who saved it last, and when it is due next (epoch ms, null = off).',
    act: async ({ actor }) => ({ schedules: await listSchedules(actor) }),
  }),
  handle('POST /api/schedules', {
    summary: 'Add a schedule. It scans with the rights of the person who saved it last.',
    answer: 'schedule: the schedule that was added.',
    body: ScheduleInput,
    status: 201,
    act: async ({ actor, body }) => ({ schedule: await addSchedule(actor, body) }),
  }),
  handle('PUT /api/schedules/{id}', {
    summary: 'Change a schedule, or switch it on or off.',
    answer: 'schedule: the schedule as it is now.',
    body: ScheduleInput,
    act: async ({ actor, id, body }) => ({ schedule: await updateSchedule(actor, id, body) }),
  }),
  handle('DELETE /api/schedules/{id}', {
    summary: 'Remove a schedule and the list of its runs. Scans that it began continue.',
    answer: 'id: the schedule that was removed.',
    act: ({ actor, id }) => removeSchedule(actor, id),
  }),
  handle('GET /api/schedules/runs', {
    summary: 'List the newest 300 runs of schedules: what was scanned, what was skipped, and why.',
    answer: 'runs: newest first.',
    query: RunsQuery,
    act: async ({ actor, query }) => ({ runs: await listScheduleRuns(actor, query) }),
  }),
  handle('GET /api/schedules/next', {
    summary: 'What the schedules do in the next 24 hours.',
    answer: 'times: each due time, when its scans begin, and on how many instances. from, to: epoch ms.',
    act: ({ actor }) => listPlannedTimes(actor),
  }),
  handle('GET /api/schedules/preview', {
    summary: 'The next three due times of a cron text in a zone.',
    answer: 'next: epoch ms.',
    query: PreviewQuery,
    act: ({ actor, query }) => readDueTimes(actor, query),
  }),
];
