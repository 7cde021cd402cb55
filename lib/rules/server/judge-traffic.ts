import type { NodeAudit, ServerAudit, ServerFinding } from '@/lib/model/servers/server-audit';
import type { Params } from '../types';
import { callsOf, notEvaluated, perNode, unknown } from './per-node';

/**
 * Judgements from the statistics of traffic: round trips, hits, errors. All count since the server started or CONFIG
 * RESETSTAT, by whomever; the uptime is not reset, so rates are never told too high.
 */
const tenth = (value: number) => Math.round(value * 10) / 10;
const perSecondOf = (calls: number, { uptimeSeconds }: NodeAudit) => tenth(calls / Math.max(1, uptimeSeconds ?? 1));

/** Below this many commands in one read of a connection nobody pipelines. */
const PIPELINED = 1.1;

/** Commands that came with one read of a connection: how far clients pipeline. Since 6.0; null = not known. */
function commandsPerRead({ clients, traffic }: NodeAudit): number | null {
  const reads = traffic?.reads ?? null;
  return reads === null || clients.commandsTotal === null ? null : clients.commandsTotal / Math.max(1, reads);
}

const BATCHES = ['mget', 'mset', 'hmget', 'hmset', 'exec'];

/** Why reads of connections are not known where commands are. */
const notCounted = ({ traffic }: NodeAudit) => notEvaluated(traffic === undefined ? 'notAsked' : 'version');

/** C22: many commands, next to none of them in a batch and none in a pipeline. */
export function judgeBatching(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, (node) => {
    const { commandsTotal } = node.clients;
    if (node.commandStats === null || commandsTotal === null || node.uptimeSeconds === null) return unknown('info');
    const perSecond = perSecondOf(commandsTotal, node);
    if (perSecond <= Number(params.perSecond)) return null;
    const each = commandsPerRead(node);
    if (each === null) return notCounted(node);
    const batches = BATCHES.reduce((sum, command) => sum + (callsOf(node, command)?.calls ?? 0), 0);
    if (each >= PIPELINED || batches >= commandsTotal * Number(params.share)) return null;
    return { commandsPerSecond: perSecond, commandsPerRead: tenth(each), batchCalls: batches };
  });
}

/** C23: keys are read one by one with GET where MGET would read them together. Clients that pipeline need no MGET. */
export function judgeRoundTrips(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, (node) => {
    const get = callsOf(node, 'get');
    const mget = callsOf(node, 'mget');
    if (get === null || mget === null || node.uptimeSeconds === null) return unknown('info');
    const perSecond = perSecondOf(get.calls, node);
    if (perSecond <= Number(params.perSecond) || mget.calls >= get.calls * Number(params.share)) return null;
    if (node.clients.commandsTotal === null) return unknown('info');
    const each = commandsPerRead(node);
    if (each === null) return notCounted(node);
    if (each >= PIPELINED) return null;
    return { getCalls: get.calls, mgetCalls: mget.calls, getPerSecond: perSecond };
  });
}

/** C25: many reads find nothing, and their questions go to the database behind. */
export function judgeHits(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, (node) => {
    if (node.traffic === undefined) return node.missing.length > 0 ? unknown('info') : notEvaluated('notAsked');
    const { hits, misses } = node.traffic;
    if (hits === null || misses === null) return unknown('info');
    const lookups = hits + misses;
    if (lookups < Number(params.lookups)) return null;
    const ratio = hits / lookups;
    return ratio < Number(params.ratio) ? { hitRatio: ratio, hits, misses } : null;
  });
}

/**
 * Beyond 128 kinds of errors (scripts make up their own) Redis 7.4 throws all counts away and counts no more, Valkey
 * counts no new kind. Then only what is counted is known.
 */
const GAVE_UP = ['ERRORSTATS_DISABLED', 'ERRORSTATS_OVERFLOW'];

/** C26 and C27: commands that the server refused with this error; counted since 6.2. */
export const judgeErrors =
  (error: 'OOM' | 'CROSSSLOT', figure: 'oomErrors' | 'crossSlotErrors') =>
  (audit: ServerAudit): ServerFinding =>
    perNode(audit, (node) => {
      if (node.traffic === undefined) return node.missing.length > 0 ? unknown('info') : notEvaluated('notAsked');
      const { errors } = node.traffic;
      if (errors === null) return countsErrors(node.version) ? unknown('info') : notEvaluated('version');
      const count = errors[error] ?? 0;
      if (count > 0) return { [figure]: count };
      return GAVE_UP.some((name) => errors[name] !== undefined) ? notEvaluated('errorstats') : null;
    });

/** An unknown version counts as one that would: then the permission is what is missing. */
function countsErrors(version: string | null): boolean {
  const [major = 99, minor = 99] = (version ?? '').split('.').map(Number);
  return version === null || major > 6 || (major === 6 && minor >= 2);
}
