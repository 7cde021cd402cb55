import type { JobContext } from '@/lib/jobs/loop/kind';
import { type ClaimedNode, claimNodes, type NodeClaim } from '@/lib/jobs/node-claims';

/**
 * Of one node one deletion writes at a time, whichever instances name it. Nodes are taken anew with each look at the
 * topology, all or none: where a failover or a move of slots brings one that another deletion writes, those taken
 * before are let go, so no two wait for each other.
 */
export function takeWrittenNodes(
  context: Pick<JobContext<unknown, NodeClaim>, 'job' | 'fencedAlone' | 'saveCheckpoint'>,
): (nodes: ClaimedNode[]) => Promise<string | null> {
  let claim: NodeClaim = { nodes: [] };
  return async (nodes) => {
    claim = { ...claim, nodes };
    const busy = await claimNodes(context, claim, () => true);
    if (busy !== null && claim.takenUnder !== undefined) {
      claim = { nodes };
      await context.saveCheckpoint(claim);
    }
    return busy;
  };
}
