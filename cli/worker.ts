import { readWorkerSigns, WORKER_SILENT_MS } from '@/lib/jobs/worker-signs';
import { CommandFailed, EXIT, UsageError } from './exit';
import { printLine } from './print';

/** `colonnade worker [--healthy]`: runs jobs, or checks whether the workers here are alive. */
export async function run(args: string[]): Promise<number> {
  const [option, ...more] = args;
  if (option !== undefined && (option !== '--healthy' || more.length > 0))
    throw new UsageError('The worker command takes no option but --healthy; settings are environment variables.');
  // Health checks call this every few seconds, so only the needed part of the program is loaded.
  return option === undefined ? (await import('./run-worker')).run() : checkWorkers();
}

/**
 * Answers health checks of containers, which have one worker: exits with 0 if all workers of this user that are visible
 * here are alive. It asks neither the database nor a port, because an unavailable database is no reason to restart the
 * worker.
 */
function checkWorkers(): number {
  const signs = readWorkerSigns();
  // Health checks know only the exit codes 0 and 1.
  if (signs.length === 0) throw new CommandFailed('No worker runs here.', EXIT.findings);
  const silent = signs.find(({ agoMs }) => agoMs > WORKER_SILENT_MS);
  if (silent !== undefined)
    throw new CommandFailed(
      `The worker ${silent.pid} has given no sign of life for ${Math.round(silent.agoMs / 1000)} s.`,
      EXIT.findings,
    );
  printLine(`Workers that run: ${signs.map(({ pid }) => pid).join(', ')}`);
  return EXIT.fine;
}
