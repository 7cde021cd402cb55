import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables';

/** Each look of the job loop asks for what ended jobs left: found by itself, however many have ended. */
export async function fewerQueries(db: Kysely<Tables>): Promise<void> {
  await sql`create index jobs_to_discard on jobs (discard_pending, kind) where discard_pending = 1`.execute(db);
}
