import { isSameRegistration, type NodeIdentity, type ServerIdentity } from '@/lib/model/servers/server-identity';

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
export function judgeServerIdentity(knownServer: ServerIdentity, answeringServer: ServerIdentity): ServerVerdict {
  // A cluster may be registered with another seed while its nodes keep their addresses.
  if (!isSameRegistration(knownServer, answeringServer))
    return listMasters(answeringServer).some((node) => isKnownAtSameAddress(node, knownServer)) ? 'same' : 'other';
  if (hasKnownId(knownServer, answeringServer)) return 'same';
  const masters = listMasters(answeringServer);
  const knownReportsIds = knownServer.nodes.some(({ runId }) => runId !== null);
  const answeringReportsIds = masters.some(({ runId }) => runId !== null);
  // If the server never reports its ids, only the address is known.
  if (!knownReportsIds && !answeringReportsIds) return 'same';
  // Ids are known from one of the two times only, so they cannot be compared.
  if (!knownReportsIds || !answeringReportsIds) return 'restarted';
  const startedEarlier = masters.some(
    ({ startedAt }) => startedAt !== null && startedAt < knownServer.seenAt - TOLERANCE_MS,
  );
  return startedEarlier ? 'other' : 'restarted';
}

const listMasters = ({ nodes }: ServerIdentity) => nodes.filter(({ role }) => role === 'master');

/**
 * Whether a master reports an id that was seen before. At another address that proves nothing, because any server can
 * report any id.
 */
export const hasKnownId = (knownServer: ServerIdentity, answeringServer: ServerIdentity): boolean =>
  listMasters(answeringServer).some((node) => isKnownNode(node, knownServer));

/** Whether it is the same process at the same address as before, whatever else the instance names. */
const isKnownAtSameAddress = (node: NodeIdentity, knownServer: ServerIdentity): boolean =>
  knownServer.nodes.some(
    (knownNode) => knownNode.address === node.address && knownNode.runId !== null && knownNode.runId === node.runId,
  );

function isKnownNode(node: NodeIdentity, knownServer: ServerIdentity): boolean {
  // offset2 (second_repl_offset) is the first offset of the new history, hence `>` and not `>=`.
  return knownServer.nodes.some(
    (knownNode) =>
      (node.runId !== null && node.runId === knownNode.runId) ||
      (knownNode.replicationId !== null &&
        (node.replicationId === knownNode.replicationId ||
          (node.replicationId2 === knownNode.replicationId && (node.offset2 ?? 0) > (knownNode.offset ?? 0)))),
  );
}

/** The addresses of the masters, or the registered endpoints if there are none; shown to people. */
export const formatServerAddresses = ({ nodes, endpoints }: ServerIdentity): string =>
  nodes
    .filter(({ role }) => role === 'master')
    .map(({ address }) => address)
    .join(', ') || endpoints.join(', ');
