import type { ServerAudit, ServerFinding } from '@/lib/model/server-audit';
import type { Params } from '../types';
import { perNode, unknown } from './per-node';

const tenth = (value: number) => Math.round(value * 10) / 10;

/** C13: connections are opened anew instead of kept in a pool. */
export function judgeChurn(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, ({ clients, uptimeSeconds }) => {
    const { receivedTotal, commandsTotal } = clients;
    if (receivedTotal === null || commandsTotal === null || uptimeSeconds === null) return unknown('info');
    const perConnection = commandsTotal / Math.max(1, receivedTotal);
    const perSecond = receivedTotal / Math.max(1, uptimeSeconds);
    return perConnection < Number(params.commands) && perSecond > Number(params.perSecond)
      ? { commandsPerConnection: tenth(perConnection), connectionsPerSecond: tenth(perSecond) }
      : null;
  });
}

/** C15: whoever reaches the port is let in, or (where asked) the line is not encrypted. */
export function judgeAccess(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, (node) => {
    const { defaultUser, passwordSet } = node;
    const open =
      defaultUser !== null ? defaultUser.enabled && defaultUser.noPassword : passwordSet === null ? null : !passwordSet;
    const plain = Number(params.tls) === 1 && !node.tls;
    if (open || plain)
      return {
        ...(open && { password: 'none' }),
        ...(plain && { tls: 'off' }),
        ...(node.protectedMode !== null && { protectedMode: node.protectedMode ? 'yes' : 'no' }),
      };
    return open === null ? unknown('acl getuser') : null;
  });
}
