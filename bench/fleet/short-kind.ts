import { sql } from 'kysely';
import type { NotingKind } from './activity-notes';

interface Params {
  steps: number;
  stepMs: number;
}

/**
 * A job of a few steps. Each is a row of `fleet_effects` that is written only under the lease and is asked for before
 * it is written, so a step that is there twice was done by two that held the job at once. It is noted beside the
 * database when its transaction stands.
 */
export const shortKind: NotingKind<Params, null> = {
  kind: 'short',
  async run({ job, params, fenced, stopRequested, noteEffect }) {
    const done = await fenced(async (tx) => {
      const { rows } = await sql<{ step: number }>`select step from fleet_effects where job = ${job.id}`.execute(tx);
      return rows.length;
    });
    for (let step = done; step < params.steps; step++) {
      if (stopRequested() !== null) return 'stopped';
      await fenced((tx) =>
        sql`insert into fleet_effects (job, step, pid) values (${job.id}, ${step}, ${process.pid})`.execute(tx),
      );
      noteEffect(step);
      await new Promise((resolve) => setTimeout(resolve, params.stepMs));
    }
    return 'done';
  },
};
