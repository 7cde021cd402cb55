import type { ChildProcess } from 'node:child_process';
import { config } from '@/lib/config';
import { openStand, type Stand } from '../stand';
import { endWorker, spawnWorker } from './spawn-worker';

/**
 * Where several processes may share the store (PostgreSQL) jobs are run by a process apart from this one, which plans,
 * starts and asks, as a server does. On the embedded database, which is for one process, by this one.
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
