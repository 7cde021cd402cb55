import type { NodeAudit, ServerAudit, ServerFinding } from '@/lib/model/servers/server-audit';
import type { Params } from '../types';
import { type Figures, judgeNodes, unknownBecause, unknownWithoutCommands } from './judge-nodes';
import { readConfigFigure } from './judge-slowlog';

/**
 * T8: expired keys are still in memory, or one round of expiry took far longer than allowed, which means that the
 * elements of one key were freed in it. LATENCY lists rounds only above its own threshold, which is off by default, so
 * an empty list proves nothing and is no violation.
 */
export function judgeStale(audit: ServerAudit, params: Params): ServerFinding {
  return judgeNodes(audit, (node) => {
    const percent = node.memory.expiredStalePercent;
    const round = node.latency?.find(({ event }) => event === 'expire-cycle')?.maxMs ?? 0;
    const isLate = percent !== null && percent > Number(params.percent);
    const isLong = round > Number(params.milliseconds);
    if (isLate || isLong)
      return {
        ...(isLate && { stalePercent: percent }),
        ...(isLong && {
          expireCycleMs: round,
          ...readConfigFigure(node, 'lazyfree-lazy-expire', 'lazyfreeLazyExpire'),
        }),
      };
    if (percent !== null) return null;
    // A node that reported its memory was asked, so it is older than this figure.
    return node.memory.usedBytes === null ? unknownWithoutCommands('info') : unknownBecause('version');
  });
}

/** C16: there is no memory limit, or the policy does not fit the share of keys that can be evicted. */
export function judgeEviction(
  audit: ServerAudit,
  params: Params,
  snapshot: { expiryShare: number | null },
): ServerFinding {
  return judgeNodes(audit, (node) => {
    const { maxBytes, policy } = node.memory;
    const lazyEviction = readConfigFigure(node, 'lazyfree-lazy-eviction', 'lazyfreeLazyEviction');
    if (maxBytes === 0) return { maxmemoryBytes: 0, ...(policy !== null && { policy }) };
    if (maxBytes === null || policy === null) return unknownWithoutCommands('info');
    const pressure: Figures = node.memory.evictedKeys
      ? { evictedKeys: node.memory.evictedKeys, ...lazyEviction }
      : lazyEviction;
    // Only keys with an expiry can be evicted. If they are few, the server answers OOM instead.
    if (policy.startsWith('volatile')) {
      const share = computeNodeExpiryShare(node) ?? snapshot.expiryShare;
      if (share === null) return node.keyspace?.every(({ keys }) => keys === 0) ? null : unknownWithoutCommands('info');
      return share < Number(params.share) ? { policy, expiryShare: share, ...pressure } : null;
    }
    return policy === 'noeviction' && Number(params.cache) === 1 ? { policy } : null;
  });
}

/** Share (0–1) of keys with an expiry, as the node counts it now; null = it has no keys or does not say. */
function computeNodeExpiryShare({ keyspace }: NodeAudit): number | null {
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
  return judgeNodes(audit, (node) => {
    if (node.keyspace === null) return unknownWithoutCommands('info');
    const used = node.keyspace.filter(({ keys }) => keys > 0);
    return used.length > 1 ? { databases: used.map(({ db }) => db).join(', ') } : null;
  });
}
