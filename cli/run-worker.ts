import { runWorkerEngine } from '@/lib/engine';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { EXIT } from './exit';

/**
 * Runs jobs and serves no pages: either next to the web program under one parent, or next to other processes that share
 * one PostgreSQL.
 */
export async function run(): Promise<number> {
  if (config.databaseUrl === null && !config.hasParent)
    throw new AppError(
      'bad_request',
      'colonnade worker needs COLONNADE_DATABASE_URL: on the embedded database (SQLite) colonnade serve starts the worker. See docs/SCALING.md.',
    );
  process.env.COLONNADE_ROLE = 'worker';
  process.stderr.write(`Colonnade worker: data: ${config.dataDir}\n`);
  await runWorkerEngine();
  return EXIT.fine;
}
