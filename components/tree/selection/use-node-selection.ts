import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { findExtraPrefix } from '@/components/reports/filter/level-filter';
import { useFilter } from '@/components/reports/filter/use-filter';
import type { Selection } from '@/lib/model/deletions/plan-request';
import { toSelectedNodes } from '@/lib/model/reports/selected-nodes';
import { getNodeId, type ShownNode, type TreeItem } from '../tree-item';

/** The most nodes that one plan takes. One of them may be a key and a branch at once. */
const MAX_NODES = 200;

const NONE: ReadonlyMap<string, ShownNode> = new Map();

/**
 * The selected nodes, over pages and levels. A selection becomes meaningless once names are cut or folded differently
 * or other keys are shown (`about`), so it is cleared then.
 */
export function useNodeSelection(snapshotId: string, delimiter: string, about: string) {
  const t = useTranslations('tree');
  const { filter, cut } = useFilter();
  const [ticked, setTicked] = useState<{ about: string; nodes: ReadonlyMap<string, ShownNode> }>({
    about,
    nodes: new Map(),
  });
  const nodes = ticked.about === about ? ticked.nodes : NONE;
  // Memoized, so that the table rebuilds its rows only when the selection changes, not on every movement of the
  // pointer.
  const ids = useMemo(() => new Set(nodes.keys()), [nodes]);
  // The nodes replace prefix, template and exact of the filter, because they say themselves where names end.
  const { prefix: _, template: __, exact: ___, ...rest } = filter;
  const prefix = findExtraPrefix(filter, delimiter);
  const chosen = [...nodes.values()];
  const selection: Selection | null =
    chosen.length === 0 || chosen.length > MAX_NODES
      ? null
      : {
          by: 'filter',
          snapshotId,
          filter: prefix === null ? rest : { ...rest, prefix },
          ...cut,
          nodes: chosen.flatMap((node) => toSelectedNodes({ ...node, path: node.start }, delimiter)),
        };
  return {
    selection,
    nodes: chosen,
    max: MAX_NODES,
    clear: () => setTicked({ about, nodes: new Map() }),
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
        setTicked({ about, nodes: next });
      },
    },
  };
}
