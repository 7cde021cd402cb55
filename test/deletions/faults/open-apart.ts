import { config } from '@/lib/config';
import { openStand, type Stand } from '../stand';
import { endWorker, spawnWorker } from './spawn-worker';

/**
 * Where several processes may share the store (PostgreSQL) jobs are run by a process apart from this one, which plans,
 * starts and asks, as a server does. On the embedded database, which is for one process, by this one.
 */
export async function openApart(...[servers, overrides]: Parameters<typeof openStand>): Promise<Stand> {
  const apart = config.databaseUrl !== null;
  const stand = await openStand(servers, overrides, !apart);
  if (!apart) return stand;
  const worker = await spawnWorker(config.dataDir);
  return {
    ...stand,
    async close() {
      await endWorker(worker);
      await stand.close();
    },
  };
}
