import {
  Copy,
  FolderOpen,
  Grid3x3,
  Hourglass,
  KeyRound,
  ShieldCheck,
  ShieldOff,
  Trash2,
  Users,
  Weight,
} from 'lucide-react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
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
] as const;

/** Where the keys of a node are shown, and what can be done with them. Made when the menu is near, not per row. */
export function NodeMenuItems(props: {
  instanceId: string;
  node: ShownNode;
  onOpen?: () => void;
  onDialog: (dialog: NodeDialog) => void;
}) {
  const { instanceId, node, onOpen } = props;
  const t = useTranslations('tree');
  const plans = useTranslations('deletions.new');
  const href = useNodeHref(instanceId);
  const { snapshotId } = useCurrentSnapshot(instanceId);
  // Owners and exemptions are by literal prefix; a path with folded ids stands for many.
  const literal = node.branchKeys > 0 && !/\{(int|uuid|hex|date|email|b64)\}/.test(node.path);
  const copy = async () => {
    if (await putOnClipboard(node.path)) toast.success(t('copied'));
    else toast.error(plans('namesNotCopied'));
  };
  return (
    <DropdownMenuContent>
      {onOpen ? (
        <>
          <DropdownMenuItem onSelect={onOpen}>
            <FolderOpen aria-hidden />
            {t('menuOpen')}
          </DropdownMenuItem>
          <DropdownMenuSeparator />
        </>
      ) : null}
      {TARGETS.map(({ page, label, Icon }) => (
        <DropdownMenuItem key={page} asChild>
          <Link href={href.to(page, node)}>
            <Icon aria-hidden />
            {t(label)}
          </Link>
        </DropdownMenuItem>
      ))}
      <DropdownMenuSeparator />
      {literal ? (
        <May permission="policy.edit" instanceId={instanceId}>
          <DropdownMenuItem onSelect={() => props.onDialog('owner')}>
            <Users aria-hidden />
            {t('menuOwner')}
          </DropdownMenuItem>
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
