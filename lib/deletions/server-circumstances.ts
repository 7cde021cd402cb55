import { randomBytes } from 'node:crypto';
import { configValue } from '@/lib/redis/capabilities';
import { readNodeState } from '@/lib/redis/node-state';
import type { RedisSession } from '@/lib/redis/types';
import { WriteFailure } from '@/lib/redis/write-failure';
import { openWritingChannel } from '@/lib/redis/writing-channel';

/** What of the servers decides how keys can go; the least favourable master counts. null = not told. */
export interface Circumstances {
  renameDenied: boolean;
  /** Evicts any key, and is near its limit: an idle tombstone would be evicted, blocking the server. */
  evictsSoon: boolean;
  lazyExpire: boolean | null;
  replicas: number | null;
  keys: number | null;
}

const NEAR = 0.8;

export async function circumstances(session: RedisSession): Promise<Circumstances> {
  const masters = session.nodes.filter((node) => node.role === 'master' && !session.problems?.has(node.address));
  const found: Circumstances = { renameDenied: false, evictsSoon: false, lazyExpire: true, replicas: 0, keys: 0 };
  for (const node of masters) {
    const channel = await openWritingChannel(session, node.address, 0);
    try {
      const state = await readNodeState(channel);
      const { maxMemory, usedMemory, evictionPolicy } = state;
      if (evictionPolicy?.startsWith('allkeys') && maxMemory && usedMemory && usedMemory > maxMemory * NEAR)
        found.evictsSoon = true;
      found.replicas = found.replicas === null || state.replicas === null ? null : found.replicas + state.replicas;
      if (await renameDenied(channel)) found.renameDenied = true;
    } finally {
      channel.close();
    }
    const lazy = await configValue(await session.client(node.address), 'lazyfree-lazy-expire');
    if (lazy === null) found.lazyExpire = found.lazyExpire === false ? false : null;
    if (lazy === 'no') found.lazyExpire = false;
    found.keys = found.keys === null || node.keys === null ? null : found.keys + node.keys;
  }
  return found;
}

/** Harmless use: neither name exists, so nothing happens but the answer whether it might. */
async function renameDenied(channel: Awaited<ReturnType<typeof openWritingChannel>>): Promise<boolean> {
  const tag = randomBytes(12).toString('hex');
  try {
    await channel.call(['RENAMENX', `{${tag}}a`, `{${tag}}b`]);
    return false;
  } catch (error) {
    // "no such key", or a slot of another node: allowed.
    return error instanceof WriteFailure && error.kind === 'denied';
  }
}
