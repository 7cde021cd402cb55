import { recordAudit } from '@/lib/access/audit/record';
import { toInitiator } from '@/lib/access/auth/is-still-permitted';
import { verb } from '@/lib/access/auth/verb';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Schedule, ScheduleInput } from '@/lib/model/schedules/schedule';
import { generateId } from '@/lib/store/generate-id';
import { readStoreNow } from '@/lib/store/jobs';
import { runTransaction } from '@/lib/store/open-store';
import { skipWaitingRuns } from '@/lib/store/schedules/schedule-runs';
import { deleteScheduleRow, listScheduleRows, putScheduleRow } from '@/lib/store/schedules/schedules';
import { checkSchedule } from './check-schedule';
import { findNextDue } from './due-times';
import { toSchedule } from './list-schedules';
import { assertMayScan, requireSchedule, scopeToSchedule, scopeToTargets } from './schedule-scope';

/** Limit of schedules, because each tick reads all of them. */
const MAX_SCHEDULES = 500;

/**
 * Adds a schedule, which scans with the rights of the person who saved it last. Errors: `bad_request` (it would never
 * begin a scan), `conflict` (name), `too_large`, `not_found` and `forbidden` (targets).
 */
export const addSchedule = verb(
  { needs: 'scan.run', on: scopeToTargets, action: 'schedule.add', subject: ({ name }: ScheduleInput) => name },
  (actor: Actor, input: ScheduleInput): Promise<Schedule> => save(actor, null, input),
);

/** Changes a schedule, or switches it on or off. Errors: those of `addSchedule`. */
export const updateSchedule = verb(
  { needs: 'scan.run', on: scopeToSchedule, action: 'schedule.update' },
  async (actor: Actor, id: string, input: ScheduleInput): Promise<Schedule> => {
    // Nobody takes over a schedule of instances that they may not scan.
    await assertMayScan(actor, (await requireSchedule(id)).input.targets, true);
    return save(actor, id, input);
  },
);

/** Removes a schedule and the list of its runs. Scans that it began continue. Errors: `not_found`. */
export const removeSchedule = verb(
  { needs: 'scan.run', on: scopeToSchedule, action: 'schedule.remove' },
  async (actor: Actor, id: string): Promise<{ id: string }> => {
    await assertMayScan(actor, (await requireSchedule(id)).input.targets, true);
    await runTransaction(async (tx) => {
      const { input } = await requireSchedule(id, tx);
      await recordAudit(tx, { actor, action: 'schedule.remove', subject: id, details: { name: input.name } });
      await deleteScheduleRow(id, tx);
    });
    return { id };
  },
);

async function save(actor: Actor, id: string | null, input: ScheduleInput): Promise<Schedule> {
  await assertMayScan(actor, input.targets);
  const now = await readStoreNow();
  checkSchedule(input, now);
  const row = await runTransaction(async (tx) => {
    const before = id === null ? null : await requireSchedule(id, tx);
    const others = (await listScheduleRows(tx)).filter((other) => other.id !== id);
    if (others.some((other) => other.input.name === input.name))
      throw new AppError('conflict', `There is a schedule called ${input.name} already. Choose another name.`, {
        field: 'name',
      });
    if (others.length >= MAX_SCHEDULES)
      throw new AppError('too_large', `There are ${MAX_SCHEDULES} schedules already.`);
    const saved = {
      id: before?.id ?? generateId(now),
      input,
      begunBy: toInitiator(actor),
      byName: actor.name,
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
      nextAt: input.on ? findNextDue(input, now) : null,
    };
    const action = before === null ? 'schedule.add' : 'schedule.update';
    const { name, cron, zone, targets, on } = input;
    await recordAudit(tx, { actor, action, subject: saved.id, details: { name, cron, zone, targets, on } });
    await putScheduleRow(saved, tx);
    if (!input.on) await skipWaitingRuns(saved.id, Number.MAX_SAFE_INTEGER, 'off', tx);
    return saved;
  });
  return toSchedule(actor, row);
}
