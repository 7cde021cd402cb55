import type { Redis } from 'ioredis';
import type { AnnouncedNode } from './topology-cluster';

/**
 * The replicas that a standalone master names in `INFO replication`, in sync with it. They are an offer, not a
 * promise: behind NAT their addresses may lead nowhere, and then the instance is just its master.
 */
export async function replicasOf(client: Redis, masterAddress: string): Promise<AnnouncedNode[]> {
  const info = await client.info('replication').catch(() => '');
  return [...info.matchAll(/^slave\d+:ip=([^,\r\n]+),port=(\d+),state=online/gm)].map((match) => ({
    host: match[1] ?? '',
    port: Number(match[2]),
    role: 'replica',
    masterAddress,
    slots: [],
    healthy: true,
  }));
}
