import type { ServerAudit, ServerFinding } from '@/lib/model/servers/server-audit';
import type { Params } from '../types';
import { judgeNodes, unknownBecause, unknownWithoutCommands } from './judge-nodes';

const roundToTenth = (value: number) => Math.round(value * 10) / 10;

/** Connections since a reset; with fewer than this no conclusion is drawn. */
const ENOUGH = 100;

/**
 * C13: clients open new connections instead of keeping them in a pool. CONFIG RESETSTAT sets both totals to zero, so
 * their ratio is correct since then. It does not reset the uptime, so the number of connections since the start can
 * only be estimated from the ids of the clients.
 */
export function judgeChurn(audit: ServerAudit, params: Params): ServerFinding {
  return judgeNodes(audit, ({ clients, uptimeSeconds }) => {
    const { receivedTotal, commandsTotal } = clients;
    if (receivedTotal === null || commandsTotal === null || uptimeSeconds === null)
      return unknownWithoutCommands('info');
    const { newest } = clients;
    const perConnection = commandsTotal / Math.max(1, receivedTotal);
    const counted = receivedTotal / Math.max(1, uptimeSeconds);
    const numbered = newest ? newest.id / Math.max(1, uptimeSeconds - newest.ageSeconds) : 0;
    const perSecond = Math.max(counted, numbered);
    const few = perConnection < Number(params.commands);
    const many = perSecond > Number(params.perSecond);
    // Without a reset, about as many connections were counted as got an id; the server itself uses a few ids.
    const reset = newest ? newest.id > 2 * receivedTotal + ENOUGH : (clients.connected ?? 0) > receivedTotal;
    const enough = receivedTotal >= ENOUGH || (newest && !reset);
    if (many && enough)
      return few
        ? { commandsPerConnection: roundToTenth(perConnection), connectionsPerSecond: roundToTenth(perSecond) }
        : null;
    if (newest) return many ? unknownBecause('reset') : null;
    if (enough && !few && !reset) return null;
    return reset
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
    const open =
      defaultUser !== null ? defaultUser.enabled && defaultUser.noPassword : passwordSet === null ? null : !passwordSet;
    const plain = Number(params.tls) === 1 && !node.tls;
    if (open || plain)
      return {
        ...(open && { password: 'none' }),
        ...(plain && { tls: 'off' }),
        ...(node.protectedMode !== null && { protectedMode: node.protectedMode ? 'yes' : 'no' }),
      };
    return open === null ? unknownWithoutCommands('acl getuser') : null;
  });
}
