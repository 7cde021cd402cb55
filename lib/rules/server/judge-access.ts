import type { ServerAudit, ServerFinding } from '@/lib/model/servers/server-audit';
import type { Params } from '../types';
import { notEvaluated, perNode, unknown } from './per-node';

const tenth = (value: number) => Math.round(value * 10) / 10;

/** Of fewer connections since a reset nothing follows. */
const ENOUGH = 100;

/**
 * C13: connections are opened anew instead of kept in a pool. CONFIG RESETSTAT begins both totals anew, so their ratio
 * holds since then, but it leaves the uptime: how many connections came in all that time only the numbers of the
 * clients tell.
 */
export function judgeChurn(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, ({ clients, uptimeSeconds }) => {
    const { receivedTotal, commandsTotal } = clients;
    if (receivedTotal === null || commandsTotal === null || uptimeSeconds === null) return unknown('info');
    const { newest } = clients;
    const perConnection = commandsTotal / Math.max(1, receivedTotal);
    const counted = receivedTotal / Math.max(1, uptimeSeconds);
    const numbered = newest ? newest.id / Math.max(1, uptimeSeconds - newest.ageSeconds) : 0;
    const perSecond = Math.max(counted, numbered);
    const few = perConnection < Number(params.commands);
    const many = perSecond > Number(params.perSecond);
    // Without a reset as many were counted as were numbered, but for a few of the server's own.
    const reset = newest ? newest.id > 2 * receivedTotal + ENOUGH : (clients.connected ?? 0) > receivedTotal;
    const enough = receivedTotal >= ENOUGH || (newest && !reset);
    if (many && enough)
      return few ? { commandsPerConnection: tenth(perConnection), connectionsPerSecond: tenth(perSecond) } : null;
    if (newest) return many ? notEvaluated('reset') : null;
    if (enough && !few && !reset) return null;
    return reset ? notEvaluated('reset') : newest === undefined ? notEvaluated('notAsked') : unknown('client list');
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
