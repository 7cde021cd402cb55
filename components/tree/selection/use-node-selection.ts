import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Totals } from '@/lib/model/reports/reports';
import { getNodeId, type ShownNode, type TreeItem } from '../tree-item';
import { useBuildSelection } from './use-build-selection';

/** The largest number of selected nodes: a plan takes 400, and a node that is a key and a branch is two of them. */
const MAX_NODES = 200;

const NONE: ReadonlyMap<string, ShownNode> = new Map();

/**
 * The selected nodes, over pages and levels. `validFor` identifies how names are cut and folded and which keys are
 * shown: the nodes have no meaning under another one, so the selection is empty then.
 */
export function useNodeSelection(snapshotId: string, delimiter: string, validFor: string) {
  const t = useTranslations('tree');
  const buildSelection = useBuildSelection(snapshotId, delimiter);
  const [ticked, setTicked] = useState({ validFor, nodes: NONE });
  const nodes = ticked.validFor === validFor ? ticked.nodes : NONE;
  // Memoized, so that the table rebuilds its rows only when the selection changes, not on every movement of the
  // pointer.
  const ids = useMemo(() => new Set(nodes.keys()), [nodes]);
  const chosen = [...nodes.values()];
  return {
    /** null: nothing is selected, or more than a plan takes. */
    selection: chosen.length === 0 || chosen.length > MAX_NODES ? null : buildSelection(chosen),
    nodes: chosen,
    totals: sumNodes(chosen),
    max: MAX_NODES,
    clear: () => setTicked({ validFor, nodes: NONE }),
    table: {
      chosen: ids,
      can: (item: TreeItem) => item.kind === 'node',
      label: (item: TreeItem) => t('select', { name: item.kind === 'node' ? item.node.path : '' }),
      labelAll: t('selectAll'),
      onToggle: (items: readonly TreeItem[], on: boolean) => {
        const next = new Map(nodes);
        for (const item of items) {
          if (item.kind !== 'node') continue;
          if (on) next.set(getNodeId(item.node), item.node);
          else next.delete(getNodeId(item.node));
        }
        setTicked({ validFor, nodes: next });
      },
    },
  };
}

/** The sums of the keys of some nodes. A node below another one is a part of it, so its keys are counted once. */
function sumNodes(nodes: readonly ShownNode[]): Totals {
  const branches = nodes.filter(({ branchKeys }) => branchKeys > 0).map(({ start }) => start);
  const isWithin = (node: ShownNode) =>
    branches.some((start) => start.length < node.start.length && node.start.startsWith(start));
  const totals = { keys: 0, bytes: 0, bytesUnknown: 0 };
  for (const node of nodes) {
    if (isWithin(node)) continue;
    totals.keys += node.keys;
    totals.bytes += node.bytes;
    totals.bytesUnknown += node.bytesUnknown;
  }
  return totals;
}
