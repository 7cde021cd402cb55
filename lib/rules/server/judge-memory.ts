import type { NodeAudit, ServerAudit, ServerFinding } from '@/lib/model/servers/server-audit';
import type { Params } from '../types';
import { lazily } from './judge-slowlog';
import { type Figures, notEvaluated, perNode, unknown } from './per-node';

/**
 * T8: expired keys are still there, or a round of expiry took far longer than it may: then one key's elements were
 * freed in it. LATENCY tells of rounds only above its own threshold, which is off by default, so silence there proves
 * nothing and is no fault.
 */
export function judgeStale(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, (node) => {
    const percent = node.memory.expiredStalePercent;
    const round = node.latency?.find(({ event }) => event === 'expire-cycle')?.maxMs ?? 0;
    const late = percent !== null && percent > Number(params.percent);
    const long = round > Number(params.milliseconds);
    if (late || long)
      return {
        ...(late && { stalePercent: percent }),
        ...(long && { expireCycleMs: round, ...lazily(node, 'lazyfree-lazy-expire', 'lazyfreeLazyExpire') }),
      };
    if (percent !== null) return null;
    // Who told of its memory was asked, and is older than the figure.
    return node.memory.usedBytes === null ? unknown('info') : notEvaluated('version');
  });
}

/** C16: no limit, or a policy that does not fit how many keys can be evicted. */
export function judgeEviction(
  audit: ServerAudit,
  params: Params,
  snapshot: { expiryShare: number | null },
): ServerFinding {
  return perNode(audit, (node) => {
    const { maxBytes, policy } = node.memory;
    const lazy = lazily(node, 'lazyfree-lazy-eviction', 'lazyfreeLazyEviction');
    if (maxBytes === 0) return { maxmemoryBytes: 0, ...(policy !== null && { policy }) };
    if (maxBytes === null || policy === null) return unknown('info');
    const pressed: Figures = node.memory.evictedKeys ? { evictedKeys: node.memory.evictedKeys, ...lazy } : lazy;
    // Only keys with an expiry can be evicted: with few of them the server answers OOM instead.
    if (policy.startsWith('volatile')) {
      const share = expiryShareOf(node) ?? snapshot.expiryShare;
      if (share === null) return node.keyspace?.every(({ keys }) => keys === 0) ? null : unknown('info');
      return share < Number(params.share) ? { policy, expiryShare: share, ...pressed } : null;
    }
    return policy === 'noeviction' && Number(params.cache) === 1 ? { policy } : null;
  });
}

/** As the node counts it now; null = it has no keys or does not tell. */
function expiryShareOf({ keyspace }: NodeAudit): number | null {
  let keys = 0;
  let expires = 0;
  for (const db of keyspace ?? []) {
    if (db.expires === null && db.keys > 0) return null;
    keys += db.keys;
    expires += db.expires ?? 0;
  }
  return keys === 0 ? null : expires / keys;
}

/** C7: more than one database holds keys. */
export function judgeDatabases(audit: ServerAudit): ServerFinding {
  return perNode(audit, (node) => {
    if (node.keyspace === null) return unknown('info');
    const used = node.keyspace.filter(({ keys }) => keys > 0);
    return used.length > 1 ? { databases: used.map(({ db }) => db).join(', ') } : null;
  });
}
