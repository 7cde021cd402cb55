import { readWorkerSigns, WORKER_SILENT_MS } from '@/lib/jobs/worker-signs';
import { CommandFailed, EXIT } from './exit';

/**
 * Answers health checks of containers, which have one worker: exits with 0 if all workers of this user that are visible
 * here are alive. It asks neither the database nor a port, because an unavailable database is no reason to restart the
 * worker.
 */
export async function run(): Promise<number> {
  const signs = readWorkerSigns();
  // Health checks know only the exit codes 0 and 1.
  if (signs.length === 0) throw new CommandFailed('No worker runs here.', EXIT.findings);
  const silent = signs.find(({ agoMs }) => agoMs > WORKER_SILENT_MS);
  if (silent !== undefined)
    throw new CommandFailed(
      `The worker ${silent.pid} has given no sign of life for ${Math.round(silent.agoMs / 1000)} s.`,
      EXIT.findings,
    );
  process.stdout.write(`Workers that run: ${signs.map(({ pid }) => pid).join(', ')}\n`);
  return EXIT.fine;
}
