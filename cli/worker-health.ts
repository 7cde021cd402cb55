import { readWorkerSigns, WORKER_SILENT_MS } from '@/lib/jobs/worker-signs';
import { CommandFailed, EXIT } from './exit';

/**
 * For health checks of containers, which have one worker: 0 when all workers of this user that are seen from here run
 * jobs or could. It asks neither the database nor a port: that a database is away is no reason to start anew.
 */
export async function run(): Promise<number> {
  const signs = readWorkerSigns();
  // Whoever asks knows 0 and 1 only.
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
