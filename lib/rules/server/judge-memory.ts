import type { ServerAudit, ServerFinding } from '@/lib/model/server-audit';
import type { Params } from '../types';
import { type Figures, perNode } from './per-node';

/** T8: expired keys that are still there. */
export function judgeStale(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, ['info stats'], (node) => {
    const percent = node.memory.expiredStalePercent;
    if (percent === null) return 'unknown';
    return percent > Number(params.percent) ? { stalePercent: percent } : null;
  });
}

/** C16: no limit, or a policy that does not fit how many keys can be evicted. */
export function judgeEviction(
  audit: ServerAudit,
  params: Params,
  { expiryShare }: { expiryShare: number | null },
): ServerFinding {
  return perNode(audit, ['info memory', 'config get'], (node): Figures | null | 'unknown' => {
    const { maxBytes, policy } = node.memory;
    if (maxBytes === null || policy === null) return 'unknown';
    if (maxBytes === 0) return { maxmemoryBytes: 0, policy };
    // Only keys with an expiry can be evicted: with few of them the server answers OOM instead.
    if (policy.startsWith('volatile') && expiryShare !== null && expiryShare < Number(params.share))
      return { policy, expiryShare };
    if (policy === 'noeviction' && Number(params.cache) === 1) return { policy };
    return null;
  });
}

/** C7: more than one database holds keys. */
export function judgeDatabases(audit: ServerAudit): ServerFinding {
  return perNode(audit, ['info keyspace'], (node) => {
    if (node.keyspace === null) return 'unknown';
    const used = node.keyspace.filter(({ keys }) => keys > 0);
    return used.length > 1 ? { databases: used.map(({ db }) => db).join(', ') } : null;
  });
}
