import { ChevronsUpDown, Database } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useInstance, usePrefetchInstances } from '@/components/data/queries/use-instances';
import { Button } from '@/components/ui/button';
import { createLazyMenuContent, DropdownMenu, DropdownMenuTrigger } from '@/components/ui/overlays/dropdown-menu';

const Content = createLazyMenuContent(() => import('./instance-menu').then((loaded) => loaded.InstanceMenu));

export function InstanceSwitcher({ instanceId }: { instanceId: string | null }) {
  const t = useTranslations('nav');
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
      <Content instanceId={instanceId} />
    </DropdownMenu>
  );
}
