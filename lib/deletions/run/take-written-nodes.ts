import type { JobContext } from '@/lib/jobs/loop/kind';
import {
  type BusyNode,
  type ClaimedNode,
  claimNodes,
  isSameAddress,
  isSameNode,
  type NodeClaim,
} from '@/lib/jobs/node-claims';

/**
 * Of one node one deletion writes at a time, whichever instances name it. Nodes are taken anew with each look at the
 * topology, all or none: where a failover or a move of slots brings one that another deletion writes, those taken
 * before are let go, so no two wait for each other. An undo must be quick: it waits for who names the same address, not
 * for who says the same run id.
 */
export function takeWrittenNodes(
  context: Pick<JobContext<unknown, NodeClaim>, 'job' | 'fencedAlone' | 'saveCheckpoint'>,
  action: 'run' | 'undo' | 'purge',
): (nodes: ClaimedNode[]) => Promise<BusyNode | null> {
  const isSame = action === 'undo' ? isSameAddress : isSameNode;
  let claim: NodeClaim = { nodes: [] };
  return async (nodes) => {
    claim = { ...claim, nodes };
    const busy = await claimNodes(context, claim, { holds: () => true, isSame });
    if (busy !== null && claim.takenUnder !== undefined) {
      claim = { nodes };
      await context.saveCheckpoint(claim);
    }
    return busy;
  };
}
