import type { NodeAudit, ServerAudit } from '@/lib/model/servers/server-audit';

/** Returns what one node reported at the end of a scan, with only the given fields known. */
export const makeNodeAudit = (over: Partial<NodeAudit> = {}): NodeAudit => ({
  address: '10.0.0.0:6379',
  role: 'master',
  version: '7.0.15',
  uptimeSeconds: null,
  commandStats: null,
  config: null,
  slowlog: null,
  latency: null,
  keyspace: null,
  clients: { connected: null, monitors: null, receivedTotal: null, commandsTotal: null },
  memory: {
    usedBytes: null,
    maxBytes: null,
    policy: null,
    evictedKeys: null,
    expiredKeys: null,
    expiredStalePercent: null,
  },
  defaultUser: null,
  unknownCommands: null,
  passwordSet: null,
  tls: false,
  protectedMode: null,
  missing: [],
  ...over,
});

export const makeAudit = (...nodes: Partial<NodeAudit>[]): ServerAudit => ({
  checkedAt: 0,
  clustered: nodes.length > 1,
  nodes: nodes.map(makeNodeAudit),
});
