import { z } from 'zod';
import type { JobState } from '@/lib/model/job-states';
import { ScanOptions } from '@/lib/model/snapshots/scan';

/** Minutes after midnight are written as people write them: `03:10`. */
const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not a time such as 03:10');
const Day = z.iso.date();
const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** When runs may begin, in the zone of the schedule. A window with `to` before `from` ends on the next day. */
export const ScheduleWindow = z.object({
  /** 1 = Monday … 7 = Sunday: the days on which the window opens. */
  days: z.array(z.int().min(1).max(7)).min(1).max(7),
  from: Clock,
  to: Clock,
});
export type ScheduleWindow = z.infer<typeof ScheduleWindow>;

/** Days, first and last included, on which nothing runs, in the zone of the schedule. */
const Blackout = z.object({ from: Day, to: Day });

/** Which instances are scanned. They are resolved each time the schedule is due. */
export const ScheduleTargets = z.discriminatedUnion('by', [
  z.object({ by: z.literal('instances'), ids: z.array(Id).min(1).max(1000) }),
  /** Instances that have at least one of the tags. */
  z.object({ by: z.literal('tags'), tags: z.array(z.string().min(1).max(64)).min(1).max(50) }),
  z.object({ by: z.literal('environment'), environment: z.string().min(1).max(64) }),
]);
export type ScheduleTargets = z.infer<typeof ScheduleTargets>;

/** Body of POST /api/schedules. */
export const ScheduleInput = z.object({
  name: z.string().trim().min(1).max(80),
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  cron: z.string().trim().min(9).max(100),
  /** A time zone such as Europe/Berlin. */
  zone: z.string().min(1).max(64),
  targets: ScheduleTargets,
  options: ScanOptions.prefault({}),
  /** Empty: runs may begin at any time. */
  windows: z.array(ScheduleWindow).max(20).default([]),
  /** What happens to a scan that is not done when its window closes. A paused scan continues at the next opening. */
  onWindowEnd: z.enum(['pause', 'finish', 'cancel']).default('pause'),
  blackout: z.array(Blackout).max(100).default([]),
  /** The scans begin spread over this many minutes, each instance always at the same place. */
  spreadMinutes: z.int().min(0).max(1440).default(0),
  /** How many scans of this schedule run at once. */
  atOnce: z.int().min(1).max(100).default(3),
  /** After a time without a worker. last: the newest missed time is made up for. none: it is skipped. */
  catchUp: z.enum(['none', 'last']).default('last'),
  /** A run that could not begin within this many hours is skipped. */
  graceHours: z.int().min(1).max(168).default(12),
  on: z.boolean().default(true),
});
export type ScheduleInput = z.infer<typeof ScheduleInput>;

/** A schedule as pages and the API show it. Times are epoch ms. */
export interface Schedule extends ScheduleInput {
  id: string;
  /** The person with whose rights it scans: the one who saved it last. */
  by: string;
  createdAt: number;
  updatedAt: number;
  /** The next time it is due; null = it is off. */
  nextAt: number | null;
  /** The instances that it would scan now, of those that the reader may see. */
  instances: { id: string; name: string }[];
}

/**
 * Why a run was skipped, or what happened to it. running, paused: the instance has an unfinished scan. window,
 * blackout: closed until the grace was over. places: no place until then. missed: no worker ran. newer: the next time
 * was due before it began. forbidden, values: the person may no longer scan, or read values. window_end: cancelled when
 * the window closed.
 */
export const RUN_REASONS = [
  'running',
  'paused',
  'window',
  'blackout',
  'places',
  'missed',
  'newer',
  'forbidden',
  'values',
  'off',
  'window_end',
] as const;
export type RunReason = (typeof RUN_REASONS)[number];

/** One time of a schedule on one instance. */
export interface ScheduleRun {
  scheduleId: string;
  scheduleName: string;
  instanceId: string;
  instanceName: string;
  dueAt: number;
  /** When it may begin: the due time, the place in the spread, or the next opening. */
  startAt: number;
  state: 'waiting' | 'started' | 'skipped';
  reason: RunReason | null;
  /** Its scan; null = it has not begun. */
  jobId: string | null;
  jobState: JobState | null;
  /** Earlier times since then were missed, because no worker ran; null = none. */
  missedSince: number | null;
}

/** One due time of the next hours: when its scans begin, and on how many instances that the reader may see. */
export interface PlannedTime {
  scheduleId: string;
  name: string;
  dueAt: number;
  startsFrom: number;
  startsTo: number;
  instances: number;
  /** Set if a window or a blackout closes it until its grace is over: it will be skipped. */
  skipped: 'window' | 'blackout' | null;
}

/** Query of GET /api/schedules/preview. */
export const PreviewQuery = ScheduleInput.pick({ cron: true, zone: true });
/** Query of GET /api/schedules/runs: those of one schedule or of one instance, or all. */
export const RunsQuery = z.object({ scheduleId: Id.optional(), instanceId: Id.optional() });
export type RunsQuery = z.infer<typeof RunsQuery>;
