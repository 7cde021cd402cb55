import type { z } from 'zod';
import { verb } from '@/lib/access/auth/verb';
import { createVisibilityFilter, listVisibleInstanceIds, scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { PlannedTime, PreviewQuery, RunsQuery, Schedule, ScheduleRun } from '@/lib/model/schedules/schedule';
import { type InstanceRow, listInstanceRows } from '@/lib/store/instances';
import { readStoreNow } from '@/lib/store/jobs';
import { listRuns } from '@/lib/store/schedules/schedule-runs';
import { listScheduleRows, type ScheduleRow } from '@/lib/store/schedules/schedules';
import { checkDueTimes, listDueTimes } from './due-times';
import { computeSpreadMs, isTarget } from './targets';
import { findClosedReason, findOpening } from './windows';

const MAX_RUNS = 300;
/** How many due times of one schedule are planned: every ten minutes is the most. */
const MAX_PLANNED = 150;
const DAY_MS = 86_400_000;
const PREVIEWED = 3;
const YEARS_MS = 9 * 366 * DAY_MS;

/** The schedules that scan an instance that the actor may see, and those that the actor saved last. */
export const listSchedules = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor): Promise<Schedule[]> => (await readVisible(actor)).map(({ row, own }) => show(row, own)),
);

/** The newest runs, at most 300, of the instances that the actor may see, with what was skipped and why. */
export const listScheduleRuns = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor, query: RunsQuery): Promise<ScheduleRun[]> => {
    const runs = await listRuns(query, await listVisibleInstanceIds(actor), MAX_RUNS);
    const names = new Map((await listInstanceRows()).map(({ id, settings }) => [id, settings.name]));
    const schedules = new Map((await listScheduleRows()).map(({ id, input }) => [id, input.name]));
    return runs.map((run) => ({
      ...run,
      scheduleName: schedules.get(run.scheduleId) ?? '',
      instanceName: names.get(run.instanceId) ?? run.instanceId,
    }));
  },
);

/** What is due in the next 24 hours, in the order of time. */
export const listPlannedTimes = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor): Promise<{ from: number; to: number; times: PlannedTime[] }> => {
    const from = await readStoreNow();
    const to = from + DAY_MS;
    const visible = (await readVisible(actor)).filter(({ row }) => row.input.on);
    const times = visible.flatMap(({ row, own }) => planTimes(row, own, from, to));
    return { from, to, times: times.toSorted((a, b) => a.startsFrom - b.startsFrom) };
  },
);

/** The next three due times of a cron text in a zone, epoch ms. Errors: `bad_request` with what is wrong. */
export const readDueTimes = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (_actor: Actor, query: z.output<typeof PreviewQuery>): Promise<{ next: number[] }> => {
    const now = await readStoreNow();
    checkDueTimes(query, now);
    return { next: listDueTimes(query, now, now + YEARS_MS, PREVIEWED) };
  },
);

type Named = Schedule['instances'];

/** Schedules with their instances that the actor may see. */
async function readVisible(actor: Actor): Promise<{ row: ScheduleRow; own: Named }[]> {
  const sees = await createVisibilityFilter(actor);
  const instances = (await listInstanceRows()).filter(({ id }) => sees(id));
  return (await listScheduleRows())
    .map((row) => ({ row, own: listTargets(row, instances) }))
    .filter(({ row, own }) => own.length > 0 || row.begunBy.id === actor.id || sees(null));
}

const listTargets = ({ input }: ScheduleRow, instances: readonly InstanceRow[]): Named =>
  instances
    .filter(({ id, settings }) => isTarget(input.targets, { id, ...settings }))
    .map(({ id, settings }) => ({ id, name: settings.name }));

const show = ({ input, byName, id, createdAt, updatedAt, nextAt }: ScheduleRow, instances: Named): Schedule => ({
  ...input,
  // Ids of instances that the reader may not see are not shown.
  targets:
    input.targets.by === 'instances'
      ? { ...input.targets, ids: instances.map((instance) => instance.id) }
      : input.targets,
  id,
  by: byName,
  createdAt,
  updatedAt,
  nextAt,
  instances,
});

/** A schedule as the actor may see it. */
export async function toSchedule(actor: Actor, row: ScheduleRow): Promise<Schedule> {
  const sees = await createVisibilityFilter(actor);
  return show(
    row,
    listTargets(
      row,
      (await listInstanceRows()).filter(({ id }) => sees(id)),
    ),
  );
}

function planTimes({ id, input }: ScheduleRow, instances: Named, from: number, to: number): PlannedTime[] {
  if (instances.length === 0) return [];
  const spread = instances.map((instance) => computeSpreadMs(id, instance.id, input));
  return listDueTimes(input, from, to, MAX_PLANNED).flatMap((dueAt, i, times) => {
    const opening = findOpening(input, dueAt, dueAt + input.graceHours * 3_600_000);
    const isLater = opening !== null && opening > dueAt;
    // Of several times that wait for one opening only the last one runs.
    if (isLater && (times[i + 1] ?? to) <= opening) return [];
    return {
      scheduleId: id,
      name: input.name,
      dueAt,
      startsFrom: isLater ? opening : dueAt + Math.min(...spread),
      startsTo: isLater ? opening : dueAt + Math.max(...spread),
      instances: instances.length,
      skipped: opening === null ? findClosedReason(input, dueAt) : null,
    };
  });
}
