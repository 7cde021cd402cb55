import type { RefObject } from 'react';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { LazyPlanDialog } from '@/components/plans/lazy-plan-dialog';
import { LazyExemptDialog, LazyOwnerDialog } from '@/components/rules/lazy-policy-dialogs';
import { buildPathExemption } from '@/components/rules/path-exemption';
import { useBuildSelection } from './selection/use-build-selection';
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
  const buildSelection = useBuildSelection(snapshotId ?? '', props.delimiter);
  const close = (open: boolean) => !open && props.onClose();
  if (dialog === 'plan')
    return snapshotId ? (
      <LazyPlanDialog
        instanceId={instanceId}
        selection={buildSelection([node])}
        start={{ task: 'delete' }}
        open
        onOpenChange={close}
      />
    ) : null;
  const shared = { instanceId, open: true, onOpenChange: close, returnTo: props.returnTo };
  if (dialog === 'owner') return <LazyOwnerDialog {...shared} start={{ prefix: node.path }} />;
  return <LazyExemptDialog {...shared} start={buildPathExemption(node.path, false) ?? {}} />;
}
