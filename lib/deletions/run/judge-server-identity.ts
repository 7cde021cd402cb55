import { type NodeIdentity, type ServerIdentity, samePlace } from '@/lib/model/servers/server-identity';

/**
 * same: the process we knew, one of its replicas, or a server that carries on its history · restarted: nothing tells
 * against it, but all that we knew is gone: what is there must be looked at again · other: another server.
 */
export type ServerVerdict = 'same' | 'restarted' | 'other';

/** Whole seconds, ours and the server's, and the way between. */
const SLACK_MS = 3_000;

/**
 * Whether the instance still points to what was seen before. A failover keeps the history of the data (the second
 * replication id, up to an offset that is not before our last look: a copy that went its own way earlier is another
 * server) or promotes a node we knew. A process that is older than our last look and that we did not know cannot be a
 * restart of what we saw. Of a cluster one node that we know is enough: it vouches for the others.
 */
export function judgeServerIdentity(was: ServerIdentity, is: ServerIdentity): ServerVerdict {
  const masters = is.nodes.filter(({ role }) => role === 'master');
  if (masters.some((node) => isKnown(node, was))) return 'same';
  if (!samePlace(was, is)) return 'other';
  const reported = was.nodes.some(({ runId }) => runId !== null);
  const tells = masters.some(({ runId }) => runId !== null);
  // Who may never ask knows the address alone.
  if (!reported && !tells) return 'same';
  if (!reported || !tells) return 'restarted';
  const older = masters.some(({ startedAt }) => startedAt !== null && startedAt < was.seenAt - SLACK_MS);
  return older ? 'other' : 'restarted';
}

function isKnown(node: NodeIdentity, was: ServerIdentity): boolean {
  return was.nodes.some(
    (known) =>
      (node.runId !== null && node.runId === known.runId) ||
      (known.replicationId !== null &&
        (node.replicationId === known.replicationId ||
          (node.replicationId2 === known.replicationId && (node.offset2 ?? 0) > (known.offset ?? 0)))),
  );
}

/** For people: the addresses that were worked on. */
export const placeOf = ({ nodes, endpoints }: ServerIdentity): string =>
  nodes
    .filter(({ role }) => role === 'master')
    .map(({ address }) => address)
    .join(', ') || endpoints.join(', ');
