import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { config } from '@/lib/config';
import { runWorkerEngine } from '@/lib/engine';
import { AppError } from '@/lib/model/errors';
import { EXIT } from './exit';
import { serverPlace } from './server-place';

/** Runs the jobs of a PostgreSQL that it shares with other processes, and serves no pages. */
export async function run(): Promise<number> {
  if (config.databaseUrl === null)
    throw new AppError(
      'bad_request',
      'colonnade worker needs COLONNADE_DATABASE_URL: the embedded database (SQLite) is for one machine, where the server runs the jobs itself. See docs/SCALING.md.',
    );
  process.env.COLONNADE_ROLE = 'worker';
  const server = serverPlace(import.meta.url);
  const heavy = server === null ? null : join(dirname(server), 'snapshot-worker.mjs');
  // Heavy tasks are done in a process of their own, as beside a server.
  if (heavy !== null && existsSync(heavy)) process.env.COLONNADE_WORKER ??= heavy;
  process.stderr.write(`Colonnade worker: data: ${config.dataDir}\n`);
  await runWorkerEngine();
  return EXIT.fine;
}
