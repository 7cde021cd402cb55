import { EMPTY_CHECKPOINT } from '@/lib/deletions/run/leftovers-checkpoint';
import { searchLeftovers } from '@/lib/deletions/run/search-leftovers';
import { readDestinationPolicy } from '../../lib/access/credentials/destination-policy';
import { openTarget } from '../../lib/access/credentials/open-target';
import { describeLeftover } from '../../lib/deletions/get-leftovers';
import type { Leftover } from '../../lib/model/deletions/leftovers';

/** Returns all internal keys on the servers of an instance, at once, without a job. */
export async function findLeftovers(instanceId: string): Promise<Leftover[]> {
  const state = structuredClone(EMPTY_CHECKPOINT);
  await searchLeftovers({
    target: await openTarget(instanceId),
    policy: readDestinationPolicy(instanceId),
    checkpoint: state,
    save: async () => {},
    byAdministrator: true,
    hooks: {
      signal: new AbortController().signal,
      whenStopRequested: new Promise(() => {}),
      regainPlace: () => null,
      retryForMs: 0,
      getStopRequest: () => null,
      getSpeed: () => 'fast',
      report: () => {},
      writeFenced: () => Promise.reject(new Error('A search writes nothing.')),
      writeFencedLocked: () => Promise.reject(new Error('A search writes nothing.')),
      findRefusal: () => null,
    },
  });
  return Promise.all(state.found.map((found) => describeLeftover(found, instanceId)));
}
