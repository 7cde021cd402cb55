/** How many nodes are queried at the same time; a cluster may have hundreds. */
const NODES_AT_ONCE = 16;

/** Calls `query` for each node, for at most `NODES_AT_ONCE` nodes at the same time. */
export async function forEachNode<N>(nodes: readonly N[], query: (node: N) => Promise<void>): Promise<void> {
  const queue = nodes.values();
  const queryNext = async () => {
    for (const node of queue) await query(node);
  };
  await Promise.all(Array.from({ length: Math.min(NODES_AT_ONCE, nodes.length) }, queryNext));
}
