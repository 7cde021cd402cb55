import pg from 'pg';

/** What the database itself noted of every change of a job's state or holder, in order; times by its clock, ms. */
export interface LeaseEvent {
  atMs: number;
  job: string;
  state: string;
  fence: number;
  /** Process id of the holder; null: nobody. */
  pid: number | null;
  owner: string | null;
}

/** Whoever writes, the triggers see it. One connection per question: the database is killed in between. */
export class LeaseLog {
  private constructor(
    private readonly url: string,
    private readonly schema: string,
  ) {}

  static async open(url: string, schema: string): Promise<LeaseLog> {
    const log = new LeaseLog(url, schema);
    await log.ask(`create table fleet_effects (job text, step int, pid int);
      create index on fleet_effects (job);
      create table fleet_leases (seq bigserial primary key, at timestamptz default clock_timestamp(), job text,
        state text, fence bigint, owner text);
      create function note_lease() returns trigger language plpgsql as $$ begin
        insert into fleet_leases (job, state, fence, owner)
          values (new.id, new.state, new.lease_fence, new.lease_owner); return null; end $$;
      create trigger note_lease after update on jobs for each row when (
        old.state is distinct from new.state or old.lease_owner is distinct from new.lease_owner or
        old.lease_fence is distinct from new.lease_fence) execute function note_lease()`);
    return log;
  }

  async ask<Row>(text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url, options: `-c search_path=${this.schema}` });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  async events(): Promise<LeaseEvent[]> {
    const rows = await this.ask<{ at: string; job: string; state: string; fence: string; owner: string | null }>(
      'select extract(epoch from at) * 1000 as at, job, state, fence, owner from fleet_leases order by seq',
    );
    return rows.map(({ at, job, state, fence, owner }) => ({
      atMs: Number(at),
      job,
      state,
      fence: Number(fence),
      owner,
      pid: owner === null ? null : Number(owner.split('/')[1]),
    }));
  }

  /** Steps that are there more than once. */
  async repeatedEffects(): Promise<number> {
    const rows = await this.ask(
      'select job, step from fleet_effects group by job, step having count(*) > 1 limit 10000',
    );
    return rows.length;
  }

  /** id → state, when it was asked for (ms), and how many of its steps are there. */
  async jobs(): Promise<{ id: string; kind: string; state: string; createdMs: number; steps: number }[]> {
    const rows = await this.ask<{ id: string; kind: string; state: string; created: string; steps: string }>(
      `select jobs.id, kind, state, created_at as created, count(distinct step) as steps
       from jobs left join fleet_effects on fleet_effects.job = jobs.id group by jobs.id, kind, state, created_at`,
    );
    return rows.map(({ created, steps, ...row }) => ({ ...row, createdMs: Number(created), steps: Number(steps) }));
  }
}
