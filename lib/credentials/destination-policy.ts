import { config } from '@/lib/config';
import type { Endpoint } from '@/lib/model/servers/instance';
import { createDestinationPolicy } from '@/lib/redis/connection/destination-policy';
import type { DestinationPolicy } from '@/lib/redis/connection/session';
import { listInstanceRows } from '@/lib/store/instances';

/**
 * What may be connected to: loopback, private ranges and the registered addresses, or what COLONNADE_ALLOW lists
 * instead. The registered ones are read at each question, so that an instance added a moment ago counts and a removed
 * one no longer does. `extra`: addresses that an administrator has just typed in, for the test before saving.
 */
export function destinationPolicy(extra: Endpoint[] = []): DestinationPolicy {
  const current = async () => {
    const registered = (await listInstanceRows()).flatMap((row) => row.settings.endpoints).concat(extra);
    return createDestinationPolicy({ allow: config.allowDestinations.join(','), registered });
  };
  return {
    resolve: async (host, port) => (await current()).resolve(host, port),
    async resolveAll(host, port) {
      const policy = await current();
      return policy.resolveAll ? policy.resolveAll(host, port) : [await policy.resolve(host, port)];
    },
  };
}
