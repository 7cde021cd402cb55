import type { Redis } from 'ioredis';
import type { AppError } from '@/lib/model/errors';
import type { Topology } from '@/lib/model/servers/instance';
import { createFailure, type ErrorContext } from '@/lib/redis/connection/connection-errors';
import { parseInfo } from '@/lib/redis/info/parse-info';
import { type AnnouncedNode, type ClusterReply, toFieldMap } from './topology-cluster';

type Mode = 'standalone' | 'cluster' | 'sentinel' | null;

/** Reads the mode that the server reports, from INFO or HELLO; null if neither does. */
export async function readMode(client: Redis): Promise<Mode> {
  const toMode = (text: unknown): Mode =>
    text === 'standalone' || text === 'cluster' || text === 'sentinel' ? text : null;
  try {
    const info = parseInfo(await client.info('server'));
    const mode = toMode(info.get('redis_mode') ?? info.get('server_mode'));
    if (mode) return mode;
  } catch {
    // INFO is denied: ask with HELLO.
  }
  return toMode((await readHello(client))?.get('mode'));
}

/**
 * Reads the fields that HELLO returns without arguments: ACLs cannot deny it. null = it fails, as on servers before 6.0
 * and behind some proxies.
 */
export async function readHello(client: Redis): Promise<ReadonlyMap<string, ClusterReply> | null> {
  const reply = await client.call('HELLO').catch(() => null);
  return reply === null ? null : toFieldMap(reply as ClusterReply);
}

/**
 * Throws when the server is of another kind than registered. An unknown mode passes; the next command will fail if it
 * is wrong.
 */
export function checkMode(mode: Mode, topology: Topology, where: ErrorContext): void {
  // The nodes that a Sentinel announces are data servers, whose mode is not that of the instance.
  const isBehindSentinel = topology === 'sentinel' && where.sentinel !== true;
  if (mode === null || mode === topology || isBehindSentinel) return;
  const createModeError = (code: AppError['code'], sentence: string) =>
    createFailure(code, where, (place) => `${place} ${sentence}`);
  if (mode === 'cluster' && topology === 'standalone') {
    throw createModeError(
      'redis_is_cluster',
      'is a node of a Redis Cluster. Register the instance as Cluster: one node has only a part of the keys.',
    );
  }
  if (topology === 'sentinel') {
    throw createModeError(
      'redis_not_sentinel',
      'is a data server, not a Sentinel. Enter the Sentinels (usually port 26379), or register it as Standalone.',
    );
  }
  if (mode === 'sentinel') {
    throw createModeError(
      'redis_is_sentinel',
      'is a Sentinel; it holds no keys. Register the instance as Sentinel, with the name of the master.',
    );
  }
  throw createModeError('redis_not_cluster', 'is not a node of a Redis Cluster. Register the instance as Standalone.');
}

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
