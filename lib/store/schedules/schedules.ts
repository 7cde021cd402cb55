import type { Selectable } from 'kysely';
import { ScheduleInput } from '@/lib/model/schedules/schedule';
import { getDb, type Tx } from '@/lib/store/open-store';
import type { SchedulesTable } from '@/lib/store/tables/schedule-tables';

/** A schedule as stored. Times are epoch ms by the clock of the store. */
export interface ScheduleRow {
  id: string;
  input: ScheduleInput;
  /** With whose rights it scans: the person who saved it last. */
  begunBy: { id: string; tokenId?: string };
  byName: string;
  createdAt: number;
  updatedAt: number;
  nextAt: number | null;
}

const fromRow = (row: Selectable<SchedulesTable>): ScheduleRow => ({
  id: row.id,
  input: ScheduleInput.parse(JSON.parse(row.body)),
  begunBy: JSON.parse(row.begun_by),
  byName: row.by_name,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  nextAt: row.next_at,
});

/** All schedules, sorted by the time of their creation. */
export async function listScheduleRows(tx?: Tx): Promise<ScheduleRow[]> {
  const db = await getDb(tx);
  return (await db.selectFrom('schedules').selectAll().orderBy('id').execute()).map(fromRow);
}

export async function getScheduleRow(id: string, tx?: Tx): Promise<ScheduleRow | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Stores a new schedule, or a changed one of the same id. */
export async function putScheduleRow(row: ScheduleRow, tx: Tx): Promise<void> {
  const changed = {
    body: JSON.stringify(row.input),
    begun_by: JSON.stringify(row.begunBy),
    by_name: row.byName,
    updated_at: row.updatedAt,
    next_at: row.nextAt,
  };
  await tx
    .insertInto('schedules')
    .values({ id: row.id, created_at: row.createdAt, ...changed })
    .onConflict((c) => c.column('id').doUpdateSet(changed))
    .execute();
}

export async function setNextAt(id: string, nextAt: number | null, tx: Tx): Promise<void> {
  await tx.updateTable('schedules').set({ next_at: nextAt }).where('id', '=', id).execute();
}

/** Deletes a schedule and its runs. Jobs that it began stay. */
export async function deleteScheduleRow(id: string, tx: Tx): Promise<void> {
  await tx.deleteFrom('schedule_runs').where('schedule_id', '=', id).execute();
  await tx.deleteFrom('schedules').where('id', '=', id).execute();
}

/** The schedule that last had a run on the instance; null = none. */
export async function findLastSchedule(instanceId: string): Promise<ScheduleRow | null> {
  const db = await getDb(undefined);
  const runs = db.selectFrom('schedule_runs').select('schedule_id').where('instance_id', '=', instanceId);
  const last = await runs.orderBy('due_at', 'desc').limit(1).executeTakeFirst();
  return last ? getScheduleRow(last.schedule_id) : null;
}
