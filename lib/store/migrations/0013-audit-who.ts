import { type Kysely, sql } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import type { Tables } from '../tables';

/**
 * In which role, from where and in which session somebody acted, and which intent a row is the outcome of. Rows from
 * before have none of it. Rows that a checkpoint stands for may go: only those up to the number in `audit_cut`.
 */
export async function auditWho(db: Kysely<Tables>): Promise<void> {
  for (const column of ['role', 'address', 'session'])
    await db.schema.alterTable('audit').addColumn(column, 'text').execute();
  await db.schema.alterTable('audit').addColumn('intent', 'bigint').execute();
  for (const column of ['actor_name', 'action', 'instance_id'])
    await db.schema.createIndex(`audit_${column}`).on('audit').columns([column, 'seq']).execute();
  await db.schema.createIndex('audit_at').on('audit').column('at').execute();
  await sql`create index audit_intent on audit (intent) where intent is not null`.execute(db);
  await (isPostgres(db) ? cutOnPostgres(db) : cutOnSqlite(db));
}

const raw = (db: Kysely<Tables>, text: string) => sql.raw(text).execute(db);

async function cutOnSqlite(db: Kysely<Tables>): Promise<void> {
  await raw(db, 'drop trigger audit_no_delete');
  await raw(
    db,
    `create trigger audit_no_delete before delete on audit
      when old.seq > coalesce((select cast(value as integer) from settings where name = 'audit_cut'), 0)
      begin select raise(abort, 'the audit log is append-only'); end`,
  );
}

async function cutOnPostgres(db: Kysely<Tables>): Promise<void> {
  await raw(db, 'drop trigger audit_no_delete on audit');
  await raw(
    db,
    `create function audit_only_cut() returns trigger language plpgsql as $$ begin
      if old.seq > coalesce((select value::bigint from settings where name = 'audit_cut'), 0) then
        raise exception 'the audit log is append-only';
      end if;
      return old;
    end $$`,
  );
  await raw(db, 'create trigger audit_no_delete before delete on audit for each row execute function audit_only_cut()');
}
