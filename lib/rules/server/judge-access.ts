import type { ServerAudit, ServerFinding } from '@/lib/model/servers/server-audit';
import type { Params } from '../types';
import { judgeNodes, roundToTenth, unknownBecause, unknownWithoutCommands } from './judge-nodes';

/** With fewer connections than this since the last reset no conclusion is drawn. */
const ENOUGH_CONNECTIONS = 100;

/**
 * C13: clients open new connections instead of keeping them in a pool. CONFIG RESETSTAT sets both totals to zero, so
 * their ratio is correct since then. It does not reset the uptime, so the number of connections since the start can
 * only be estimated from the ids of the clients.
 */
export function judgeChurn(audit: ServerAudit, params: Params): ServerFinding {
  return judgeNodes(audit, ({ clients, uptimeSeconds }) => {
    const { newest, receivedTotal, commandsTotal } = clients;
    if (receivedTotal === null || commandsTotal === null || uptimeSeconds === null)
      return unknownWithoutCommands('info');
    const perConnection = commandsTotal / Math.max(1, receivedTotal);
    const countedPerSecond = receivedTotal / Math.max(1, uptimeSeconds);
    const numberedPerSecond = newest ? newest.id / Math.max(1, uptimeSeconds - newest.ageSeconds) : 0;
    const perSecond = Math.max(countedPerSecond, numberedPerSecond);
    const hasFew = perConnection < Number(params.commands);
    const hasMany = perSecond > Number(params.perSecond);
    // Without a reset, about as many connections were counted as got an id; the server itself uses a few ids.
    const wasReset = newest
      ? newest.id > 2 * receivedTotal + ENOUGH_CONNECTIONS
      : (clients.connected ?? 0) > receivedTotal;
    const isConclusive = receivedTotal >= ENOUGH_CONNECTIONS || (newest && !wasReset);
    if (hasMany && isConclusive)
      return hasFew
        ? { commandsPerConnection: roundToTenth(perConnection), connectionsPerSecond: roundToTenth(perSecond) }
        : null;
    if (newest) return hasMany ? unknownBecause('reset') : null;
    if (isConclusive && !hasFew && !wasReset) return null;
    return wasReset
      ? unknownBecause('reset')
      : newest === undefined
        ? unknownBecause('notAsked')
        : unknownWithoutCommands('client list');
  });
}

/** C15: anybody who reaches the port is let in, or (if the profile asks for TLS) the connection is not encrypted. */
export function judgeAccess(audit: ServerAudit, params: Params): ServerFinding {
  return judgeNodes(audit, (node) => {
    const { defaultUser, passwordSet } = node;
    const isOpen =
      defaultUser !== null ? defaultUser.enabled && defaultUser.noPassword : passwordSet === null ? null : !passwordSet;
    const isUnencrypted = Number(params.tls) === 1 && !node.tls;
    if (isOpen || isUnencrypted)
      return {
        ...(isOpen && { password: 'none' }),
        ...(isUnencrypted && { tls: 'off' }),
        ...(node.protectedMode !== null && { protectedMode: node.protectedMode ? 'yes' : 'no' }),
      };
    return isOpen === null ? unknownWithoutCommands('acl getuser') : null;
  });
}
