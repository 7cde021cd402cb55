import type { ServerAudit, ServerFinding } from '@/lib/model/server-audit';
import type { Params } from '../types';
import { perNode } from './per-node';

/** C13, C14: connections are opened anew instead of kept in a pool. */
export function judgeChurn(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, ['info stats'], ({ clients, uptimeSeconds }) => {
    const { receivedTotal, commandsTotal } = clients;
    if (receivedTotal === null || commandsTotal === null || uptimeSeconds === null) return 'unknown';
    const perConnection = commandsTotal / Math.max(1, receivedTotal);
    const perSecond = receivedTotal / Math.max(1, uptimeSeconds);
    return perConnection < Number(params.commands) && perSecond > Number(params.perSecond)
      ? {
          commandsPerConnection: Math.round(perConnection * 10) / 10,
          connectionsPerSecond: Math.round(perSecond * 10) / 10,
        }
      : null;
  });
}

/** C15: anybody who reaches the port is let in, or (where asked) the line is not encrypted. */
export function judgeAccess(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, ['acl getuser', 'config get'], (node) => {
    const open =
      node.defaultUser === null
        ? node.passwordSet === null
          ? null
          : !node.passwordSet
        : node.defaultUser.enabled && node.defaultUser.noPassword;
    const plain = Number(params.tls) === 1 && !node.tls;
    if (open || plain)
      return {
        ...(open && { password: 'none' }),
        ...(plain && { tls: 'off' }),
        ...(node.protectedMode !== null && { protectedMode: node.protectedMode ? 'yes' : 'no' }),
      };
    return open === null ? 'unknown' : null;
  });
}
