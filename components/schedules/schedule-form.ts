import type { Schedule, ScheduleInput } from '@/lib/model/schedules/schedule';

export type ScheduleForm = ScheduleInput;
export interface FormPart {
  form: ScheduleForm;
  onChange: (patch: Partial<ScheduleForm>) => void;
}

/** What is sent to change a schedule, without what the server adds to it. */
export function toScheduleInput({ id, by, createdAt, updatedAt, nextAt, instances, ...input }: Schedule): ScheduleForm {
  return input;
}

export const readOwnZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A new schedule: every night, in the time zone of the browser. */
export const buildNewSchedule = (): ScheduleForm => ({
  name: '',
  cron: '10 3 * * *',
  zone: readOwnZone(),
  targets: { by: 'instances', ids: [] },
  options: {
    speed: 'gentle',
    target: 'auto',
    facts: 'full',
    counts: 'large',
    values: 0,
    valuesReason: null,
    databases: null,
    match: null,
  },
  windows: [],
  onWindowEnd: 'pause',
  blackout: [],
  spreadMinutes: 0,
  atOnce: 3,
  catchUp: 'last',
  graceHours: 12,
  on: true,
});
