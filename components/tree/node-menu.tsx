import {
  Copy,
  Ellipsis,
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
import Link from 'next/link';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { LazyPlanDialog } from '@/components/plans/lazy-plan-dialog';
import { useFilter } from '@/components/reports/filter/use-filter';
import { ExemptDialog } from '@/components/rules/exempt-dialog';
import { OwnerDialog } from '@/components/rules/owner-dialog';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { selectedNodes } from '@/lib/model/reports/selected-nodes';
import type { ShownNode } from './tree-item';
import { useNodeHref } from './use-node-href';

const TARGETS = [
  { page: 'keys', label: 'menuKeys', Icon: KeyRound },
  { page: 'bigkeys', label: 'menuBigkeys', Icon: Weight },
  { page: 'ttl', label: 'menuTtl', Icon: Hourglass },
  { page: 'slots', label: 'menuSlots', Icon: Grid3x3 },
  { page: 'findings', label: 'menuFindings', Icon: ShieldCheck },
] as const;

export function NodeMenu(props: {
  instanceId: string;
  node: ShownNode;
  delimiter: string;
  /** Reached by Tab: of the row that the arrow keys are on. */
  reachable: boolean;
  onOpen?: () => void;
}) {
  const { instanceId, node, onOpen } = props;
  const t = useTranslations('tree');
  const plans = useTranslations('deletions.new');
  const href = useNodeHref(instanceId);
  const { snapshotId } = useCurrentSnapshot(instanceId);
  const [dialog, setDialog] = useState<'owner' | 'exempt' | 'plan' | null>(null);
  const {
    filter: { prefix: _, template: __, ...filter },
    cut,
  } = useFilter();
  const nodes = selectedNodes({ ...node, path: node.start }, props.delimiter);
  const trigger = useRef<HTMLButtonElement>(null);
  const close = (open: boolean) => !open && setDialog(null);
  // Owners and exemptions are by literal prefix; a path with folded ids stands for many.
  const literal = node.branchKeys > 0 && !/\{(int|uuid|hex|date|email|b64)\}/.test(node.path);
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button
            ref={trigger}
            tabIndex={props.reachable ? 0 : -1}
            variant="ghost"
            size="iconXs"
            aria-label={t('menu', { name: node.segment || t('empty') })}
          >
            <Ellipsis aria-hidden />
          </Button>
        </DropdownMenuTrigger>
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
              <Link href={href.to(page, node)} prefetch={false}>
                <Icon aria-hidden />
                {t(label)}
              </Link>
            </DropdownMenuItem>
          ))}
          <DropdownMenuSeparator />
          {/* Asked when the menu opens, not for each row of the table. */}
          {literal ? (
            <May permission="policy.edit" instanceId={instanceId}>
              <DropdownMenuItem onSelect={() => setDialog('owner')}>
                <Users aria-hidden />
                {t('menuOwner')}
              </DropdownMenuItem>
              <DropdownMenuItem onSelect={() => setDialog('exempt')}>
                <ShieldOff aria-hidden />
                {t('menuExempt')}
              </DropdownMenuItem>
            </May>
          ) : null}
          {snapshotId ? (
            <May permission="deletion.run" instanceId={instanceId}>
              <DropdownMenuItem onSelect={() => setDialog('plan')}>
                <Trash2 aria-hidden />
                {plans('planPrefix')}
              </DropdownMenuItem>
            </May>
          ) : null}
          <DropdownMenuItem onSelect={() => void navigator.clipboard?.writeText(node.path)}>
            <Copy aria-hidden />
            {t('menuCopy')}
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {dialog === 'plan' && snapshotId ? (
        <LazyPlanDialog
          instanceId={instanceId}
          selection={{ by: 'filter', snapshotId, filter, nodes, ...cut }}
          start={{ task: 'delete' }}
          open
          onOpenChange={close}
        />
      ) : null}
      {dialog === 'owner' ? (
        <OwnerDialog
          instanceId={instanceId}
          open
          onOpenChange={close}
          start={{ prefix: node.path }}
          returnTo={trigger}
        />
      ) : null}
      {dialog === 'exempt' ? (
        <ExemptDialog
          instanceId={instanceId}
          open
          onOpenChange={close}
          start={{ prefix: node.path }}
          returnTo={trigger}
        />
      ) : null}
    </>
  );
}
