import { Ellipsis } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { onDemand } from '@/components/ui/on-demand/on-demand';
import { createLazyMenuContent, DropdownMenu, DropdownMenuTrigger } from '@/components/ui/overlays/dropdown-menu';
import { toVisibleText } from '@/components/ui/visible-text';
import type { NodeDialog } from './node-dialogs';
import { MAX_TITLE, type ShownNode } from './tree-item';

const Items = createLazyMenuContent(() => import('./node-menu-items').then((loaded) => loaded.NodeMenuItems));
const useNodeDialogs = onDemand(() => import('./node-dialogs').then((loaded) => loaded.NodeDialogs));

export function NodeMenu(props: {
  instanceId: string;
  node: ShownNode;
  delimiter: string;
  /** Whether Tab reaches the button: true in the row that the arrow keys are on. */
  reachable: boolean;
  onOpen?: () => void;
  /** Opens the level of the values; undefined: the node is not folded. */
  onValues?: () => void;
}) {
  const { instanceId, node } = props;
  const t = useTranslations('tree');
  const [dialog, setDialog] = useState<NodeDialog | null>(null);
  const Dialogs = useNodeDialogs(dialog !== null);
  const trigger = useRef<HTMLButtonElement>(null);
  const segment = toVisibleText(node.segment.slice(0, MAX_TITLE));
  // The segments that all names below the node have in common, which the row shows too.
  const shared = toVisibleText(node.path.slice(node.start.length, MAX_TITLE));
  const name = `${segment || t('empty')}${shared && props.delimiter}${shared}`;
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button
            ref={trigger}
            tabIndex={props.reachable ? 0 : -1}
            variant="ghost"
            size="iconXs"
            aria-label={t('menu', { name })}
          >
            <Ellipsis aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <Items
          instanceId={instanceId}
          node={node}
          onOpen={props.onOpen}
          onValues={props.onValues}
          onDialog={setDialog}
        />
      </DropdownMenu>
      {dialog && Dialogs ? (
        <Dialogs
          instanceId={instanceId}
          node={node}
          delimiter={props.delimiter}
          dialog={dialog}
          onClose={() => setDialog(null)}
          returnTo={trigger}
        />
      ) : null}
    </>
  );
}
