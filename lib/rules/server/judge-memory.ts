import type { NodeAudit, ServerAudit, ServerFinding } from '@/lib/model/server-audit';
import type { Params } from '../types';
import { lazily } from './judge-slowlog';
import { type Figures, perNode, unknown } from './per-node';

/** T8: expired keys that are still there. */
export function judgeStale(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, ({ memory }) => {
    const percent = memory.expiredStalePercent;
    if (percent === null) return unknown('info');
    return percent > Number(params.percent) ? { stalePercent: percent } : null;
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
      if (share === null) return node.keyspace === null ? unknown('info') : null;
      return share < Number(params.share) ? { policy, expiryShare: share, ...pressed } : null;
    }
    return policy === 'noeviction' && Number(params.cache) === 1 ? { policy } : null;
  });
}

/** As the node counts it now; null = it has no keys or does not tell. */
function expiryShareOf({ keyspace }: NodeAudit): number | null {
  const keys = keyspace?.reduce((sum, db) => sum + db.keys, 0) ?? 0;
  return keys === 0 ? null : keyspace!.reduce((sum, db) => sum + db.expires, 0) / keys;
}

/** C7: more than one database holds keys. */
export function judgeDatabases(audit: ServerAudit): ServerFinding {
  return perNode(audit, (node) => {
    if (node.keyspace === null) return unknown('info');
    const used = node.keyspace.filter(({ keys }) => keys > 0);
    return used.length > 1 ? { databases: used.map(({ db }) => db).join(', ') } : null;
  });
}
