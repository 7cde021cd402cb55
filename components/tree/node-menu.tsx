'use client';
import { Copy, Ellipsis, FolderOpen, Grid3x3, Hourglass, KeyRound, Weight } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu';
import type { TreeNode } from '@/lib/model/reports/reports';
import { useNodeHref } from './use-node-href';

const TARGETS = [
  { page: 'keys', label: 'menuKeys', Icon: KeyRound },
  { page: 'bigkeys', label: 'menuBigkeys', Icon: Weight },
  { page: 'ttl', label: 'menuTtl', Icon: Hourglass },
  { page: 'slots', label: 'menuSlots', Icon: Grid3x3 },
] as const;

export function NodeMenu({ instanceId, node, onOpen }: { instanceId: string; node: TreeNode; onOpen?: () => void }) {
  const t = useTranslations('tree');
  const href = useNodeHref(instanceId);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="iconXs" aria-label={t('menu', { name: node.segment || t('empty') })}>
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
        <DropdownMenuItem onSelect={() => void navigator.clipboard?.writeText(node.path)}>
          <Copy aria-hidden />
          {t('menuCopy')}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
