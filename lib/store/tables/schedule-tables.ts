import type { ColumnType } from 'kysely';
import type { RunReason, ScheduleRun } from '@/lib/model/schedules/schedule';

export interface SchedulesTable {
  id: string;
  /** ScheduleInput as JSON. */
  body: string;
  /** Initiator as JSON: with whose rights it scans. */
  begun_by: string;
  by_name: string;
  created_at: ColumnType<number, number, never>;
  updated_at: number;
  /** By the clock of the store; null = it is off. */
  next_at: number | null;
}

export interface ScheduleRunsTable {
  schedule_id: string;
  instance_id: string;
  due_at: number;
  start_at: number;
  state: ScheduleRun['state'];
  reason: RunReason | null;
  job_id: string | null;
  missed_since: number | null;
  /** When its window closed while it ran; null = it did not, or has opened again. */
  held_at: number | null;
}
