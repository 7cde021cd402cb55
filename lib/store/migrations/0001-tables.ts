import { type Kysely, sql } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import { orderByBytes } from '@/lib/store/engines/order-by-bytes';
import type { Tables } from '../tables';
import { ACCOUNT_TABLES } from './0001-account-tables';
import { ALERT_TABLES } from './0001-alert-tables';
import { AUDIT_TABLE, AUDIT_TRIGGERS } from './0001-audit-table';
import { DELETION_TABLES, DELETION_TRIGGERS } from './0001-deletion-tables';
import { INSTANCE_TABLES } from './0001-instance-tables';
import { JOB_TABLES, JOB_TRIGGERS } from './0001-job-tables';
import { POLICY_TABLES } from './0001-policy-tables';
import { SCHEDULE_TABLES } from './0001-schedule-tables';
import { TREND_TABLES } from './0001-trend-tables';

/** All tables, indexes and triggers, for SQLite and for PostgreSQL. Times are in milliseconds since 1970. */
export async function createTables(db: Kysely<Tables>): Promise<void> {
  const engine = isPostgres(db) ? 'postgres' : 'sqlite';
  const run = async (statements: readonly string[]) => {
    for (const text of statements) await sql.raw(text).execute(db);
  };
  await run(['create table settings (name text primary key, value text not null)']);
  await run(INSTANCE_TABLES[engine]);
  await run(JOB_TABLES);
  await run(SCHEDULE_TABLES);
  await run(POLICY_TABLES);
  await run(ACCOUNT_TABLES);
  await run(DELETION_TABLES[engine]);
  await run(TREND_TABLES[engine]);
  await run(ALERT_TABLES);
  await run(AUDIT_TABLE[engine]);
  if (engine === 'postgres') await orderByBytes(db);
  await run(JOB_TRIGGERS[engine]);
  await run(DELETION_TRIGGERS[engine]);
  await run(AUDIT_TRIGGERS[engine]);
}
