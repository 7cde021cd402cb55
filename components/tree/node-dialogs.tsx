import type { RefObject } from 'react';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { LazyPlanDialog } from '@/components/plans/lazy-plan-dialog';
import { findExtraPrefix } from '@/components/reports/filter/level-filter';
import { useFilter } from '@/components/reports/filter/use-filter';
import { LazyExemptDialog, LazyOwnerDialog } from '@/components/rules/lazy-policy-dialogs';
import { buildPathExemption } from '@/components/rules/path-exemption';
import { toSelectedNodes } from '@/lib/model/reports/selected-nodes';
import type { ShownNode } from './tree-item';

export type NodeDialog = 'owner' | 'exempt' | 'plan';

/** The dialogs that the menu of a node opens. */
export function NodeDialogs(props: {
  instanceId: string;
  node: ShownNode;
  delimiter: string;
  dialog: NodeDialog;
  onClose: () => void;
  returnTo: RefObject<HTMLButtonElement | null>;
}) {
  const { instanceId, node, dialog } = props;
  const { snapshotId } = useCurrentSnapshot(instanceId);
  const { filter, cut } = useFilter();
  // The nodes replace prefix, template and exact of the filter, because they say themselves where names end.
  const { prefix: _, template: __, exact: ___, ...rest } = filter;
  const prefix = findExtraPrefix(filter, props.delimiter);
  const nodes = toSelectedNodes({ ...node, path: node.start }, props.delimiter);
  const close = (open: boolean) => !open && props.onClose();
  if (dialog === 'plan')
    return snapshotId ? (
      <LazyPlanDialog
        instanceId={instanceId}
        selection={{ by: 'filter', snapshotId, filter: prefix === null ? rest : { ...rest, prefix }, nodes, ...cut }}
        start={{ task: 'delete' }}
        open
        onOpenChange={close}
      />
    ) : null;
  const shared = { instanceId, open: true, onOpenChange: close, returnTo: props.returnTo };
  if (dialog === 'owner') return <LazyOwnerDialog {...shared} start={{ prefix: node.path }} />;
  return <LazyExemptDialog {...shared} start={buildPathExemption(node.path, false) ?? {}} />;
}
