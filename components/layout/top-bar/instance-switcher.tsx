import { ChevronsUpDown, Database, Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useInstance, usePrefetchInstances } from '@/components/data/queries/use-instances';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { useGo } from '@/components/ui/underway/use-go';
import { InstanceChoices } from './instance-choices';

export function InstanceSwitcher({ instanceId }: { instanceId: string | null }) {
  const t = useTranslations('nav');
  const go = useGo();
  const current = useInstance(instanceId).data;
  const prefetch = usePrefetchInstances();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          className="min-w-28 max-w-60 shrink text-foreground max-sm:min-w-0 max-sm:px-2"
          aria-label={t('switchInstance')}
          onPointerEnter={prefetch}
          onFocus={prefetch}
        >
          <Database className="text-muted-foreground max-sm:hidden" aria-hidden />
          <span className="truncate">{instanceId === null ? t('chooseInstance') : current?.name}</span>
          <ChevronsUpDown className="text-muted-foreground" aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-72">
        <DropdownMenuLabel>{t('groupInstances')}</DropdownMenuLabel>
        <InstanceChoices instanceId={instanceId} />
        <May permission="instance.manage">
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={() => go('/instances/new')}>
            <Plus aria-hidden />
            {t('register')}
          </DropdownMenuItem>
        </May>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
