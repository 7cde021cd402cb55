import Database from 'better-sqlite3';
import pg from 'pg';
import { LEASE_TABLES } from './lease-tables';

/**
 * One change of a job's state or holder, as the database's own triggers recorded it, in order; times by the database's
 * clock, ms.
 */
export interface LeaseEvent {
  atMs: number;
  job: string;
  state: string;
  fence: number;
  /** Process id of the holder; null: no process holds it. */
  pid: number | null;
  owner: string | null;
}

/** A job, when it was created, and how many of its steps exist. */
export interface LoggedJob {
  id: string;
  kind: string;
  state: string;
  createdMs: number;
  steps: number;
}

type Ask = (text: string) => Promise<unknown[]>;

/** Reads what the triggers recorded, whichever process wrote it. */
export class LeaseLog {
  private constructor(private readonly asked: Ask) {}

  /** Each query uses a new connection, because the database is killed in between. */
  static async onPostgres(url: string, schema: string): Promise<LeaseLog> {
    const log = new LeaseLog(async (text) => {
      const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` });
      client.on('error', () => {});
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    });
    await log.asked(LEASE_TABLES.postgres);
    return log;
  }

  static async onSqlite(file: string): Promise<LeaseLog> {
    const open = () => new Database(file, { timeout: 15_000 });
    const db = open();
    db.exec(LEASE_TABLES.sqlite);
    db.close();
    return new LeaseLog(async (text) => {
      const asked = open();
      try {
        return asked.prepare(text).all();
      } finally {
        asked.close();
      }
    });
  }

  private async ask<Row>(text: string): Promise<Row[]> {
    return (await this.asked(text)) as Row[];
  }

  async events(): Promise<LeaseEvent[]> {
    const rows = await this.ask<{ at_ms: number; job: string; state: string; fence: string; owner: string | null }>(
      'select at_ms, job, state, fence, owner from fleet_leases order by seq',
    );
    return rows.map(({ at_ms, job, state, fence, owner }) => ({
      atMs: Number(at_ms),
      job,
      state,
      fence: Number(fence),
      owner,
      pid: owner === null ? null : Number(owner.split('/')[1]),
    }));
  }

  /** Returns `<job> <step>` of steps that exist more than once. */
  async repeatedEffects(): Promise<string[]> {
    const rows = await this.ask<{ job: string; step: number }>(
      'select job, step from fleet_effects group by job, step having count(*) > 1 limit 10000',
    );
    return rows.map(({ job, step }) => `${job} ${step}`);
  }

  async jobs(): Promise<LoggedJob[]> {
    const rows = await this.ask<{ id: string; kind: string; state: string; created: string; steps: string }>(
      `select jobs.id, kind, state, created_at as created, count(distinct step) as steps
       from jobs left join fleet_effects on fleet_effects.job = jobs.id group by jobs.id, kind, state, created_at`,
    );
    return rows.map(({ created, steps, ...row }) => ({ ...row, createdMs: Number(created), steps: Number(steps) }));
  }
}
