/** Judges servers by the command statistics: calls since the server started or since CONFIG RESETSTAT. */

import {
  ALWAYS_ASKED,
  hasNoUsers,
  type NodeAudit,
  type ServerAudit,
  type ServerDoubt,
  type ServerFinding,
} from '@/lib/model/servers/server-audit';
import type { Params } from '../types';
import { createUnknown, judgeNodes, readWords, sumCommandStats, unknownWithoutCommands } from './judge-nodes';
import { toSlowFigures } from './judge-slowlog';

/**
 * C1: a forbidden command was called, or everybody may call it: the default user is on, may run it, and the command is
 * neither renamed nor disabled.
 */
export function judgeForbidden(audit: ServerAudit, params: Params): ServerFinding {
  return judgeNodes(audit, (node) => {
    const called: string[] = [];
    const callable: string[] = [];
    const needs = new Set<string>();
    const because = new Set<ServerDoubt>();
    for (const command of listForbiddenCommands(params)) {
      const shown = command.replace('|', ' ').toUpperCase();
      const stat = sumCommandStats(node, command);
      if (stat === null) needs.add('info');
      else if (stat.calls > 0) called.push(`${shown} × ${stat.calls}`);
      if (node.unknownCommands?.includes(command)) continue;
      // This server counts only the command as a whole, not its subcommands.
      if (command.includes('|') && node.commandStats?.[command.split('|')[0]!]) because.add('subcommands');
      const may = mayRun(node, command);
      if (may) callable.push(shown);
      else if (may !== undefined) continue;
      else if (!wasAsked(node, command)) because.add('notAsked');
      else {
        needs.add(node.defaultUser === null ? 'acl getuser' : 'acl dryrun');
        // COMMAND INFO reports with how many arguments the command can be tried (ACL DRYRUN).
        if (node.unknownCommands === null && !ALWAYS_ASKED.includes(command)) needs.add('command info');
      }
    }
    if (called.length > 0 || callable.length > 0)
      return {
        ...(called.length > 0 && { called: called.join(', ') }),
        ...(callable.length > 0 && { callable: callable.join(', ') }),
      };
    return needs.size + because.size > 0 ? createUnknown([...needs], [...because]) : null;
  });
}

/** The list of C1 in the form in which servers are asked about it: `config set` is the subcommand `config|set`. */
export const listForbiddenCommands = (params: Params): string[] =>
  readWords(params, 'commands').map((word) => word.replace(/\s+/, '|'));

const wasAsked = (node: NodeAudit, command: string) => (node.askedCommands ?? ALWAYS_ASKED).includes(command);

/** Whether everybody may run a command that exists; undefined = the server does not say. */
function mayRun(node: NodeAudit, command: string): boolean | undefined {
  if (node.defaultUser !== null) return node.defaultUser.enabled ? node.defaultUser.may[command] : false;
  return hasNoUsers(node) && node.unknownCommands !== null && wasAsked(node, command) ? true : undefined;
}

/** C2: KEYS was called. The slow log shows with which pattern. */
export function judgeKeys(audit: ServerAudit): ServerFinding {
  return judgeNodes(audit, (node) => {
    const stat = sumCommandStats(node, 'keys');
    const slow = node.slowlog?.filter(({ command }) => command === 'KEYS') ?? [];
    if ((stat?.calls ?? 0) > 0 || slow.length > 0)
      return {
        ...(stat &&
          stat.calls > 0 && { calls: stat.calls, microsecondsPerCall: Math.round(stat.microseconds / stat.calls) }),
        ...(slow.length > 0 && toSlowFigures(slow)),
      };
    return stat === null ? unknownWithoutCommands('info') : null;
  });
}

/** C3: commands whose time grows with the collection take long on average. */
export function judgeLinear(audit: ServerAudit, params: Params): ServerFinding {
  return judgeNodes(audit, (node) => {
    if (node.commandStats === null) return unknownWithoutCommands('info');
    const slow = readWords(params, 'commands').flatMap((command) => {
      const stat = sumCommandStats(node, command);
      if (stat === null || stat.calls === 0) return [];
      const each = stat.microseconds / stat.calls;
      return each > Number(params.microseconds) ? [{ command, calls: stat.calls, each }] : [];
    });
    if (slow.length === 0) return null;
    slow.sort((a, b) => b.each - a.each);
    return {
      slow: slow
        .map(({ command, calls, each }) => `${command.toUpperCase()} × ${calls}: ${Math.round(each)} µs`)
        .join(', '),
    };
  });
}

/** C8: a large share of commands are transactions. */
export function judgeTransactions(audit: ServerAudit, params: Params): ServerFinding {
  return judgeNodes(audit, (node) => {
    const stat = sumCommandStats(node, 'multi');
    if (stat === null) return unknownWithoutCommands('info');
    const allCalls = Object.values(node.commandStats!).reduce((sum, { calls }) => sum + calls, 0);
    const share = allCalls === 0 ? 0 : stat.calls / allCalls;
    return share > Number(params.share) ? { calls: stat.calls, share } : null;
  });
}

/**
 * C10: somebody watches every command (MONITOR). The statistics do not show how long earlier watchers stayed, so only a
 * watcher that is connected now is reported.
 */
export function judgeMonitor(audit: ServerAudit): ServerFinding {
  return judgeNodes(audit, (node) => {
    const stat = sumCommandStats(node, 'monitor');
    const now = node.clients.monitors;
    if (now !== null && now > 0) return { monitors: now, ...(stat && { calls: stat.calls }) };
    // If MONITOR was never called, nobody uses it now, whether or not the clients may be listed.
    return now === null && stat?.calls !== 0 ? unknownWithoutCommands('client list') : null;
  });
}
