import type { Redis } from 'ioredis';
import type { AnnouncedNode } from './topology-cluster';

/**
 * Reads the in-sync replicas that a standalone master lists in `INFO replication`. They may be unreachable: behind NAT
 * their addresses may lead nowhere, and then the instance consists of its master only.
 */
export async function readReplicas(client: Redis, masterAddress: string): Promise<AnnouncedNode[]> {
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
