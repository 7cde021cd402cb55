import { type NodeIdentity, type ServerIdentity, samePlace } from '@/lib/model/servers/server-identity';

/**
 * same: the process we knew, one of its replicas, or a server that carries on its history · restarted: nothing tells
 * against it, but all that we knew is gone: what is there must be looked at again · other: another server.
 */
export type ServerVerdict = 'same' | 'restarted' | 'other';

/** Whole seconds, ours and the server's, and the way between. */
const SLACK_MS = 3_000;

/**
 * Whether the instance still points to what was seen before. Registered under another address it does not, whatever the
 * server says of itself: any server can repeat the ids of another one. A failover keeps the history of the data (the
 * second replication id, up to an offset that is not before our last look: a copy that went its own way earlier is
 * another server) or promotes a node we knew. A process that is older than our last look and that we did not know
 * cannot be a restart of what we saw. Of a cluster one node that we know is enough: it vouches for the others.
 */
export function judgeServerIdentity(was: ServerIdentity, is: ServerIdentity): ServerVerdict {
  // A cluster gets another seed, and its nodes stand where they stood.
  if (!samePlace(was, is)) return mastersOf(is).some((node) => isKnownThere(node, was)) ? 'same' : 'other';
  if (repeatsIds(was, is)) return 'same';
  const masters = mastersOf(is);
  const reported = was.nodes.some(({ runId }) => runId !== null);
  const tells = masters.some(({ runId }) => runId !== null);
  // Who may never ask knows the address alone.
  if (!reported && !tells) return 'same';
  if (!reported || !tells) return 'restarted';
  const older = masters.some(({ startedAt }) => startedAt !== null && startedAt < was.seenAt - SLACK_MS);
  return older ? 'other' : 'restarted';
}

const mastersOf = ({ nodes }: ServerIdentity) => nodes.filter(({ role }) => role === 'master');

/** A master gives an id that was seen before. At another address this is only its word. */
export const repeatsIds = (was: ServerIdentity, is: ServerIdentity): boolean =>
  mastersOf(is).some((node) => isKnown(node, was));

/** The same process at the address at which it was seen, whatever else the instance names. */
const isKnownThere = (node: NodeIdentity, was: ServerIdentity): boolean =>
  was.nodes.some((known) => known.address === node.address && known.runId !== null && known.runId === node.runId);

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
