import {
  Copy,
  FolderOpen,
  GitCompareArrows,
  Grid3x3,
  Hourglass,
  KeyRound,
  ListTree,
  ShieldCheck,
  ShieldOff,
  Trash2,
  Users,
  Weight,
} from 'lucide-react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { buildPathExemption } from '@/components/rules/path-exemption';
import { Link } from '@/components/ui/link';
import { DropdownMenuContent, DropdownMenuItem, DropdownMenuSeparator } from '@/components/ui/overlays/dropdown-menu';
import { toast } from '@/components/ui/overlays/toast';
import { putOnClipboard } from '@/components/ui/use-copied';
import type { NodeDialog } from './node-dialogs';
import type { ShownNode } from './tree-item';
import { useNodeHref } from './use-node-href';

const TARGETS = [
  { page: 'keys', label: 'menuKeys', Icon: KeyRound },
  { page: 'bigkeys', label: 'menuBigkeys', Icon: Weight },
  { page: 'ttl', label: 'menuTtl', Icon: Hourglass },
  { page: 'slots', label: 'menuSlots', Icon: Grid3x3 },
  { page: 'findings', label: 'menuFindings', Icon: ShieldCheck },
  { page: 'compare', label: 'menuCompare', Icon: GitCompareArrows },
] as const;

/** Links to the keys of a node, and actions on them. Rendered when the menu is about to open, not for every row. */
export function NodeMenuItems(props: {
  instanceId: string;
  node: ShownNode;
  onOpen?: () => void;
  /** Opens the level of the values; undefined: the node is not folded. */
  onValues?: () => void;
  onDialog: (dialog: NodeDialog) => void;
}) {
  const { instanceId, node, onOpen, onValues } = props;
  const t = useTranslations('tree');
  const plans = useTranslations('deletions.new');
  const href = useNodeHref(instanceId);
  const { snapshotId } = useCurrentSnapshot(instanceId);
  // Owners are assigned to literal prefixes; a path with folded ids matches many of them.
  const start = buildPathExemption(node.path, false);
  const literal = start !== null && start.prefixes.length > 0;
  const copy = async () => {
    if (await putOnClipboard(node.path)) toast.success(t('copied'));
    else toast.error(plans('namesNotCopied'));
  };
  return (
    <DropdownMenuContent>
      {onOpen ? (
        <DropdownMenuItem onSelect={onOpen}>
          <FolderOpen aria-hidden />
          {t('menuOpen')}
        </DropdownMenuItem>
      ) : null}
      {onValues ? (
        <DropdownMenuItem onSelect={onValues}>
          <ListTree aria-hidden />
          {t('menuValues')}
        </DropdownMenuItem>
      ) : null}
      {onOpen || onValues ? <DropdownMenuSeparator /> : null}
      {TARGETS.map(({ page, label, Icon }) => (
        <DropdownMenuItem key={page} asChild>
          <Link href={href.to(page, node)}>
            <Icon aria-hidden />
            {t(label)}
          </Link>
        </DropdownMenuItem>
      ))}
      <DropdownMenuSeparator />
      {node.branchKeys > 0 && start !== null ? (
        <May permission="policy.edit" instanceId={instanceId}>
          {literal ? (
            <DropdownMenuItem onSelect={() => props.onDialog('owner')}>
              <Users aria-hidden />
              {t('menuOwner')}
            </DropdownMenuItem>
          ) : null}
          <DropdownMenuItem onSelect={() => props.onDialog('exempt')}>
            <ShieldOff aria-hidden />
            {t('menuExempt')}
          </DropdownMenuItem>
        </May>
      ) : null}
      {snapshotId ? (
        <May permission="deletion.run" instanceId={instanceId}>
          <DropdownMenuItem onSelect={() => props.onDialog('plan')}>
            <Trash2 aria-hidden />
            {plans('planPrefix')}
          </DropdownMenuItem>
        </May>
      ) : null}
      <DropdownMenuItem onSelect={() => void copy()}>
        <Copy aria-hidden />
        {t('menuCopy')}
      </DropdownMenuItem>
    </DropdownMenuContent>
  );
}
