import { ChevronsUpDown, Database, Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useInstances } from '@/components/data/queries/use-instances';
import { useHere } from '@/components/layout/navigation/use-here';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuChoice,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { useGo } from '@/components/ui/underway/use-go';

export function InstanceSwitcher({ instanceId }: { instanceId: string | null }) {
  const t = useTranslations('nav');
  const go = useGo();
  const { page, instanceHref } = useHere();
  const instances = useInstances();
  const current = instances.data?.find((i) => i.id === instanceId);
  // A key or the edit form belongs to one instance; every other page exists on all of them.
  const place = page && page !== '/edit' ? page : '';
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          className="min-w-28 max-w-60 shrink text-foreground max-sm:min-w-0 max-sm:px-2"
          aria-label={t('switchInstance')}
        >
          <Database className="text-muted-foreground max-sm:hidden" aria-hidden />
          <span className="truncate">{current?.name ?? t('chooseInstance')}</span>
          <ChevronsUpDown className="text-muted-foreground" aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-72">
        <DropdownMenuLabel>{t('groupInstances')}</DropdownMenuLabel>
        {(instances.data ?? []).map((i) => (
          <DropdownMenuChoice key={i.id} checked={i.id === instanceId} onSelect={() => go(instanceHref(i.id, place))}>
            <span className="min-w-0 flex-1 truncate">{i.name}</span>
            <span className="text-muted-foreground text-xs">{i.environment}</span>
          </DropdownMenuChoice>
        ))}
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
