import { NOTHING_SEARCHED } from '@/lib/deletions/run/leftovers-checkpoint';
import { searchLeftovers } from '@/lib/deletions/run/search-leftovers';
import { readDestinationPolicy } from '../../lib/access/credentials/destination-policy';
import { openTarget } from '../../lib/access/credentials/open-target';
import { describeLeftover } from '../../lib/deletions/get-leftovers';
import type { Leftover } from '../../lib/model/deletions/leftovers';

/** Returns all internal keys on the servers of an instance, at once, without a job. */
export async function findLeftovers(instanceId: string): Promise<Leftover[]> {
  const state = structuredClone(NOTHING_SEARCHED);
  await searchLeftovers({
    target: await openTarget(instanceId),
    policy: readDestinationPolicy(instanceId),
    state,
    save: async () => {},
    byAdministrator: true,
    hooks: {
      signal: new AbortController().signal,
      stopped: new Promise(() => {}),
      regainPlace: () => null,
      retryForMs: 0,
      stopRequested: () => null,
      speed: () => 'fast',
      report: () => {},
      fenced: () => Promise.reject(new Error('A search writes nothing.')),
      fencedAlone: () => Promise.reject(new Error('A search writes nothing.')),
      refused: () => null,
    },
  });
  return Promise.all(state.found.map((found) => describeLeftover(found, instanceId)));
}
