import type { ChildProcess } from 'node:child_process';
import { config } from '@/lib/runtime/config';
import { openStand, type Stand } from '../stand';
import { endWorker, spawnWorker } from './spawn-worker';

/**
 * Where several processes may share the store (PostgreSQL), a separate process runs the jobs, and this one plans,
 * starts and reads, as a server does. With the embedded database, which only one process may use, this process does
 * both.
 */
export async function openApart(
  ...[servers, overrides, runs = true, confirmed]: Parameters<typeof openStand>
): Promise<Stand> {
  if (config.databaseUrl === null) return openStand(servers, overrides, runs, confirmed);
  const stand = await openStand(servers, overrides, false, confirmed);
  let worker: Promise<ChildProcess> | null = null;
  const runner: Stand['runner'] = {
    async start() {
      worker ??= spawnWorker(config.dataDir);
      await worker;
    },
    async stop() {
      const begun = worker;
      worker = null;
      if (begun !== null) await endWorker(await begun);
    },
  };
  if (runs) await runner.start();
  return { ...stand, runner, close: () => runner.stop() };
}
