import { sql } from 'kysely';
import type { NotingKind } from './activity-notes';

interface Params {
  steps: number;
  stepMs: number;
}

/**
 * A job of a few steps. Each step is a row of `fleet_effects` that is written only under the lease, after a check that
 * it does not exist, so a step that exists twice was executed by two processes that held the job at once. After its
 * transaction is committed it is also written to the activity file.
 */
export const shortKind: NotingKind<Params, null> = {
  kind: 'short',
  async run({ job, params, writeFenced, getStopRequest, noteEffect }) {
    const done = await writeFenced(async (tx) => {
      const { rows } = await sql<{ step: number }>`select step from fleet_effects where job = ${job.id}`.execute(tx);
      return rows.length;
    });
    for (let step = done; step < params.steps; step++) {
      if (getStopRequest() !== null) return 'stopped';
      await writeFenced((tx) =>
        sql`insert into fleet_effects (job, step, pid) values (${job.id}, ${step}, ${process.pid})`.execute(tx),
      );
      noteEffect(step);
      await new Promise((resolve) => setTimeout(resolve, params.stepMs));
    }
    return 'done';
  },
};
