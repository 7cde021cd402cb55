/**
 * Judgements from the traffic statistics: round trips, hits, errors. They count all clients since the server started or
 * since CONFIG RESETSTAT. The uptime is not reset, so a rate may be reported too low but never too high.
 */

import type { NodeAudit, ServerAudit, ServerFinding } from '@/lib/model/servers/server-audit';
import type { Params } from '../types';
import { judgeNodes, roundToTenth, sumCommandStats, unknownBecause, unknownWithoutCommands } from './judge-nodes';

const toPerSecond = (calls: number, { uptimeSeconds }: NodeAudit) =>
  roundToTenth(calls / Math.max(1, uptimeSeconds ?? 1));

/** With fewer commands than this per read of a connection, no client pipelines. */
const PIPELINED = 1.1;

/** Commands per read of a connection: how much clients pipeline. Available since 6.0; null = unknown. */
function computeCommandsPerRead({ clients, traffic }: NodeAudit): number | null {
  const reads = traffic?.reads ?? null;
  return reads === null || clients.commandsTotal === null ? null : clients.commandsTotal / Math.max(1, reads);
}

const BATCHES = ['mget', 'mset', 'hmget', 'hmset', 'exec'];

/** Why the number of reads is unknown although the number of commands is known. */
const explainUncounted = ({ traffic }: NodeAudit) => unknownBecause(traffic === undefined ? 'notAsked' : 'version');

/** C22: many commands, almost none of them in a batch and none in a pipeline. */
export function judgeBatching(audit: ServerAudit, params: Params): ServerFinding {
  return judgeNodes(audit, (node) => {
    const { commandsTotal } = node.clients;
    if (node.commandStats === null || commandsTotal === null || node.uptimeSeconds === null)
      return unknownWithoutCommands('info');
    const perSecond = toPerSecond(commandsTotal, node);
    if (perSecond <= Number(params.perSecond)) return null;
    const perRead = computeCommandsPerRead(node);
    if (perRead === null) return explainUncounted(node);
    const batches = BATCHES.reduce((sum, command) => sum + (sumCommandStats(node, command)?.calls ?? 0), 0);
    if (perRead >= PIPELINED || batches >= commandsTotal * Number(params.share)) return null;
    return { commandsPerSecond: perSecond, commandsPerRead: roundToTenth(perRead), batchCalls: batches };
  });
}

/** C23: keys are read one by one with GET where MGET could read them together. Clients that pipeline need no MGET. */
export function judgeRoundTrips(audit: ServerAudit, params: Params): ServerFinding {
  return judgeNodes(audit, (node) => {
    const get = sumCommandStats(node, 'get');
    const mget = sumCommandStats(node, 'mget');
    if (get === null || mget === null || node.uptimeSeconds === null) return unknownWithoutCommands('info');
    const perSecond = toPerSecond(get.calls, node);
    if (perSecond <= Number(params.perSecond) || mget.calls >= get.calls * Number(params.share)) return null;
    if (node.clients.commandsTotal === null) return unknownWithoutCommands('info');
    const perRead = computeCommandsPerRead(node);
    if (perRead === null) return explainUncounted(node);
    if (perRead >= PIPELINED) return null;
    return { getCalls: get.calls, mgetCalls: mget.calls, getPerSecond: perSecond };
  });
}

/** C25: many reads find nothing, so the application asks its database instead. */
export function judgeHits(audit: ServerAudit, params: Params): ServerFinding {
  return judgeNodes(audit, (node) => {
    if (node.traffic === undefined)
      return node.missing.length > 0 ? unknownWithoutCommands('info') : unknownBecause('notAsked');
    const { hits, misses } = node.traffic;
    if (hits === null || misses === null) return unknownWithoutCommands('info');
    const lookups = hits + misses;
    if (lookups < Number(params.lookups)) return null;
    const ratio = hits / lookups;
    return ratio < Number(params.ratio) ? { hitRatio: ratio, hits, misses } : null;
  });
}

/**
 * With more than 128 kinds of errors (scripts invent their own) Redis 7.4 drops all counts and stops counting, and
 * Valkey counts no new kind. Then an error that is not listed may still have occurred.
 */
const STOPPED_COUNTING = ['ERRORSTATS_DISABLED', 'ERRORSTATS_OVERFLOW'];

/** C26 and C27: the server refused commands with this error; counted since 6.2. */
export const judgeErrors =
  (error: 'OOM' | 'CROSSSLOT', figure: 'oomErrors' | 'crossSlotErrors') =>
  (audit: ServerAudit): ServerFinding =>
    judgeNodes(audit, (node) => {
      if (node.traffic === undefined)
        return node.missing.length > 0 ? unknownWithoutCommands('info') : unknownBecause('notAsked');
      const { errors } = node.traffic;
      if (errors === null)
        return countsErrors(node.version) ? unknownWithoutCommands('info') : unknownBecause('version');
      const count = errors[error] ?? 0;
      if (count > 0) return { [figure]: count };
      return STOPPED_COUNTING.some((name) => errors[name] !== undefined) ? unknownBecause('errorstats') : null;
    });

/** An unknown version is treated as one that counts errors, so that the missing permission is reported. */
function countsErrors(version: string | null): boolean {
  const [major = 99, minor = 99] = (version ?? '').split('.').map(Number);
  return version === null || major > 6 || (major === 6 && minor >= 2);
}
