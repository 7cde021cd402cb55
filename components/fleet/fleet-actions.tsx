import { Ellipsis, Pencil, SquareArrowOutUpRight } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { ScanButton } from '@/components/scans/scan-button';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { useGo } from '@/components/ui/underway/use-go';
import type { FleetRow } from '@/lib/model/reports/fleet';

/** Buttons to scan, open and edit one instance. */
export function FleetActions({ row: { instance, activeJob }, href }: { row: FleetRow; href: string }) {
  const t = useTranslations('fleet');
  const go = useGo();
  return (
    <span className="inline-flex items-center gap-1">
      <ScanButton instance={instance} size="sm" disabled={activeJob !== null} className="max-sm:hidden" />
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="iconSm" aria-label={t('actionsFor', { name: instance.name })}>
            <Ellipsis aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuItem onSelect={() => go(href)}>
            <SquareArrowOutUpRight aria-hidden />
            {t('open')}
          </DropdownMenuItem>
          <May permission="instance.manage" instanceId={instance.id}>
            <DropdownMenuItem onSelect={() => go(`${href}/edit`)}>
              <Pencil aria-hidden />
              {t('edit')}
            </DropdownMenuItem>
          </May>
        </DropdownMenuContent>
      </DropdownMenu>
    </span>
  );
}
