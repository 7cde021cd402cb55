import { config } from '@/lib/config';
import type { Endpoint } from '@/lib/model/instance';
import { createDestinationPolicy } from '@/lib/redis/destinations';
import type { DestinationPolicy } from '@/lib/redis/types';
import { listInstanceRows } from '@/lib/store/instances';

/**
 * What may be dialled: loopback and private ranges, what COLONNADE_ALLOW lists, and the registered addresses. The
 * list is read at each question, so that an instance registered a moment ago counts. `extra`: addresses that an
 * administrator has just typed in, for the test before saving.
 */
export function destinationPolicy(extra: Endpoint[] = []): DestinationPolicy {
  return {
    async resolve(host, port) {
      const registered = (await listInstanceRows()).flatMap((row) => row.settings.endpoints).concat(extra);
      return createDestinationPolicy({ allow: config.allowDestinations, registered }).resolve(host, port);
    },
  };
}
