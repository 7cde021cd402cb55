import { isSamePlace, type NodeIdentity, type ServerIdentity } from '@/lib/model/servers/server-identity';

/**
 * `same`: the process seen before, one of its replicas, or a server that continues its history. `restarted`: nothing
 * contradicts that it is the same server, but nothing known is left either, so what is there must be read again.
 * `other`: another server.
 */
export type ServerVerdict = 'same' | 'restarted' | 'other';

/** Tolerance for comparing times: the server reports its uptime in whole seconds, and its answer takes time. */
const TOLERANCE_MS = 3_000;

/**
 * Decides whether the instance still points to the server that was seen before. If it is registered with other
 * addresses, only one thing confirms that: a master that is the same process (run id) at the same node address. Ids
 * alone do not, because any server can repeat the ids of another one. With the same registration, a failover keeps the
 * history of the data (second replication id, up to an offset that is not before the one last seen: a copy that
 * diverged earlier is another server) or promotes a known node. A process that started before the server was last seen
 * and was not known then cannot be a restart of it. One known master is enough to confirm the others.
 */
export function judgeServerIdentity(was: ServerIdentity, is: ServerIdentity): ServerVerdict {
  // A cluster may be registered with another seed while its nodes keep their addresses.
  if (!isSamePlace(was, is)) return listMasters(is).some((node) => isKnownThere(node, was)) ? 'same' : 'other';
  if (hasKnownId(was, is)) return 'same';
  const masters = listMasters(is);
  const wasReporting = was.nodes.some(({ runId }) => runId !== null);
  const isReporting = masters.some(({ runId }) => runId !== null);
  // If the server never reports its ids, only the address is known.
  if (!wasReporting && !isReporting) return 'same';
  // Ids are known from one of the two times only, so they cannot be compared.
  if (!wasReporting || !isReporting) return 'restarted';
  const isOlder = masters.some(({ startedAt }) => startedAt !== null && startedAt < was.seenAt - TOLERANCE_MS);
  return isOlder ? 'other' : 'restarted';
}

const listMasters = ({ nodes }: ServerIdentity) => nodes.filter(({ role }) => role === 'master');

/** Whether a master reports an id that was seen before. At another address this is only a claim of that server. */
export const hasKnownId = (was: ServerIdentity, is: ServerIdentity): boolean =>
  listMasters(is).some((node) => isKnown(node, was));

/** Whether it is the same process at the same address as before, whatever else the instance names. */
const isKnownThere = (node: NodeIdentity, was: ServerIdentity): boolean =>
  was.nodes.some((known) => known.address === node.address && known.runId !== null && known.runId === node.runId);

function isKnown(node: NodeIdentity, was: ServerIdentity): boolean {
  // offset2 (second_repl_offset) is the first offset of the new history, hence `>` and not `>=`.
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
