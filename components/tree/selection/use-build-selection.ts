import { findExtraPrefix } from '@/components/reports/filter/level-filter';
import { useFilter } from '@/components/reports/filter/use-filter';
import type { Selection } from '@/lib/model/deletions/plan-request';
import { toSelectedNodes } from '@/lib/model/reports/selected-nodes';
import type { ShownNode } from '../tree-item';

/**
 * Returns a function that builds the selection of the keys of some nodes, as a deletion plan takes it. The nodes
 * replace prefix, template and exact of the filter, because they say themselves where names end.
 */
export function useBuildSelection(snapshotId: string, delimiter: string): (nodes: readonly ShownNode[]) => Selection {
  const { filter, delimiterField } = useFilter();
  const { prefix: _, template: __, exact: ___, ...rest } = filter;
  const prefix = findExtraPrefix(filter, delimiter);
  return (nodes) => ({
    by: 'filter',
    snapshotId,
    filter: prefix === null ? rest : { ...rest, prefix },
    ...delimiterField,
    nodes: nodes.flatMap((node) => toSelectedNodes({ ...node, path: node.start }, delimiter)),
  });
}
