/** SQL of the tables that the triggers write to and in which the steps of short jobs are stored, for each database. */
export const LEASE_TABLES = {
  postgres: `create table fleet_effects (job text, step int, pid int);
  create index fleet_effects_job on fleet_effects (job);
  create table fleet_leases (seq bigserial primary key,
    at_ms double precision default extract(epoch from clock_timestamp()) * 1000,
    job text, state text, fence bigint, owner text);
  create function note_lease() returns trigger language plpgsql as $$ begin
    insert into fleet_leases (job, state, fence, owner)
      values (new.id, new.state, new.lease_fence, new.lease_owner); return null; end $$;
  create trigger note_lease after update on jobs for each row when (
    old.state is distinct from new.state or old.lease_owner is distinct from new.lease_owner or
    old.lease_fence is distinct from new.lease_fence) execute function note_lease();`,
  sqlite: `create table fleet_effects (job text, step int, pid int);
  create index fleet_effects_job on fleet_effects (job);
  create table fleet_leases (seq integer primary key autoincrement,
    at_ms real default (unixepoch('subsec') * 1000),
    job text, state text, fence integer, owner text);
  create trigger note_lease after update on jobs when
    old.state is not new.state or old.lease_owner is not new.lease_owner or old.lease_fence is not new.lease_fence
  begin
    insert into fleet_leases (job, state, fence, owner) values (new.id, new.state, new.lease_fence, new.lease_owner);
  end;`,
};
