import { isSamePlace, type NodeIdentity, type ServerIdentity } from '@/lib/model/servers/server-identity';

/**
 * `same`: the process seen before, one of its replicas, or a server that continues its history. `restarted`: nothing
 * contradicts that it is the same server, but nothing known is left either, so what is there must be read again.
 * `other`: another server.
 */
export type ServerVerdict = 'same' | 'restarted' | 'other';

/** Times are in whole seconds, of Colonnade and of the server, and the network takes time too. */
const SLACK_MS = 3_000;

/**
 * Decides whether the instance still points to the server that was seen before. Under another address it does not,
 * whatever the server reports: any server can repeat the ids of another one. A failover keeps the history of the data
 * (the second replication id, up to an offset that is not before the last look: a copy that diverged earlier is another
 * server) or promotes a known node. A process that is older than the last look and was not known then cannot be a
 * restart of the server that was seen. In a cluster one known node is enough to confirm the others.
 */
export function judgeServerIdentity(was: ServerIdentity, is: ServerIdentity): ServerVerdict {
  // A cluster may be registered with another seed while its nodes keep their addresses.
  if (!isSamePlace(was, is)) return listMasters(is).some((node) => isKnownThere(node, was)) ? 'same' : 'other';
  if (hasKnownId(was, is)) return 'same';
  const masters = listMasters(is);
  const reported = was.nodes.some(({ runId }) => runId !== null);
  const tells = masters.some(({ runId }) => runId !== null);
  // If the server never reports its ids, only the address is known.
  if (!reported && !tells) return 'same';
  if (!reported || !tells) return 'restarted';
  const older = masters.some(({ startedAt }) => startedAt !== null && startedAt < was.seenAt - SLACK_MS);
  return older ? 'other' : 'restarted';
}

const listMasters = ({ nodes }: ServerIdentity) => nodes.filter(({ role }) => role === 'master');

/** Whether a master reports an id that was seen before. At another address this is only a claim of that server. */
export const hasKnownId = (was: ServerIdentity, is: ServerIdentity): boolean =>
  listMasters(is).some((node) => isKnown(node, was));

/** Whether it is the same process at the same address as before, whatever else the instance names. */
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

/** The addresses of the masters, or the registered endpoints if there are none; shown to people. */
export const formatServerPlace = ({ nodes, endpoints }: ServerIdentity): string =>
  nodes
    .filter(({ role }) => role === 'master')
    .map(({ address }) => address)
    .join(', ') || endpoints.join(', ');
