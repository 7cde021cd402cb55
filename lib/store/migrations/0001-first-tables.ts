import { type Kysely, sql } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import type { Tables } from '../tables';

export async function firstTables(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('instances')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull().unique())
    .addColumn('settings', 'text', (c) => c.notNull())
    .addColumn('password', 'text')
    .addColumn('sentinel_password', 'text')
    .addColumn('tls_key', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('jobs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('instance_id', 'text')
    .addColumn('instance_name', 'text')
    .addColumn('snapshot_id', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('speed', 'text', (c) => c.notNull())
    .addColumn('params', 'text', (c) => c.notNull())
    .addColumn('checkpoint', 'text')
    .addColumn('progress', 'text')
    .addColumn('cost', 'text')
    .addColumn('reason', 'text')
    .addColumn('error', 'text')
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_fence', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('lease_until', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('discard_pending', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('jobs_by_state').on('jobs').columns(['state', 'created_at']).execute();
  await db.schema.createIndex('jobs_by_change').on('jobs').column('updated_at').execute();
  await db.schema.createIndex('jobs_by_instance').on('jobs').columns(['instance_id', 'created_at']).execute();

  await db.schema
    .createTable('snapshots')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull())
    .addColumn('job_id', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('keys', 'bigint', (c) => c.notNull())
    .addColumn('bytes', 'bigint')
    .addColumn('bigkeys', 'bigint')
    .addColumn('no_expiry_keys', 'bigint')
    .addColumn('partial', 'integer', (c) => c.notNull())
    .addColumn('file_bytes', 'bigint')
    .execute();
  await db.schema.createIndex('snapshots_by_instance').on('snapshots').columns(['instance_id', 'started_at']).execute();

  await db.schema
    .createTable('audit')
    .addColumn('seq', isPostgres(db) ? 'bigint' : 'integer', (c) =>
      // `lib/audit` gives the number: a sequence leaves gaps, and a gap is a row that somebody removed.
      isPostgres(db) ? c.primaryKey() : c.primaryKey().autoIncrement(),
    )
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('actor_id', 'text', (c) => c.notNull())
    .addColumn('actor_name', 'text', (c) => c.notNull())
    .addColumn('via', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('instance_id', 'text')
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('prev', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .execute();
  // A guard against mistakes; against intent there is the chain.
  if (isPostgres(db)) await guardAudit(db);
  else
    for (const act of ['update', 'delete'])
      await sql
        .raw(
          `create trigger audit_no_${act} before ${act} on audit begin select raise(abort, 'the audit log is append-only'); end`,
        )
        .execute(db);

  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();
}

async function guardAudit(db: Kysely<Tables>): Promise<void> {
  await sql
    .raw(
      `create function audit_append_only() returns trigger language plpgsql as
        $$ begin raise exception 'the audit log is append-only'; end $$`,
    )
    .execute(db);
  for (const act of ['update', 'delete', 'truncate'])
    await sql
      .raw(`create trigger audit_no_${act} before ${act} on audit execute function audit_append_only()`)
      .execute(db);
}
