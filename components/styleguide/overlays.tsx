import { Camera, ChevronDown, Trash2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import {
  DropdownMenu,
  DropdownMenuChoice,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { Popover, PopoverClose, PopoverContent, PopoverTrigger } from '@/components/ui/overlays/popover';
import { Sheet, SheetContent } from '@/components/ui/overlays/sheet';
import { toast } from '@/components/ui/overlays/toast';
import { Tooltip } from '@/components/ui/overlays/tooltip';
import { ConfirmSample, DialogSample, EditSample } from './dialog-samples';

/** Loaded with the first intent, as on every page. */
const PaletteSample = dynamic(() => import('./palette-sample').then((loaded) => loaded.PaletteSample), { ssr: false });

/** What lies above the page, each opened by its button. */
export function Overlays() {
  const t = useTranslations('styleguide');
  const [sheet, setSheet] = useState<'left' | 'right' | null>(null);
  const [palette, setPalette] = useState(false);
  return (
    <Card>
      <CardHeader title={t('overlays')} />
      <CardBody className="flex flex-wrap gap-2">
        <MenuSample />
        <Popover>
          <PopoverTrigger asChild>
            <Button>{t('popover')}</Button>
          </PopoverTrigger>
          <PopoverContent align="start" className="w-72 space-y-3">
            <p>{t('hint')}</p>
            <PopoverClose asChild>
              <Button size="sm">{t('act')}</Button>
            </PopoverClose>
          </PopoverContent>
        </Popover>
        {(['top', 'right', 'bottom', 'left'] as const).map((side) => (
          <Tooltip key={side} content={t('hint')} side={side}>
            <Button aria-label={`${t('tooltip')} ${side}`}>{t('tooltip')}</Button>
          </Tooltip>
        ))}
        <DialogSample />
        <EditSample />
        <ConfirmSample />
        <Button onClick={() => setPalette(true)}>{t('palette')}</Button>
        {palette ? <PaletteSample onClose={() => setPalette(false)} /> : null}
        <Button onClick={() => setSheet('right')}>{t('sheet')}</Button>
        <Button onClick={() => setSheet('left')}>{t('sheetLeft')}</Button>
        <Sheet open={sheet !== null} onOpenChange={(open) => !open && setSheet(null)}>
          <SheetContent side={sheet ?? 'right'} title={t('sheet')}>
            <p className="px-4">{t('hint')}</p>
          </SheetContent>
        </Sheet>
        <Button onClick={() => toast.success(t('done'))}>{t('toastDone')}</Button>
        <Button onClick={() => toast.error(t('failed'), { description: t('hint') })}>{t('toastFailed')}</Button>
      </CardBody>
    </Card>
  );
}

function MenuSample() {
  const t = useTranslations('styleguide');
  const [on, setOn] = useState(true);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button>
          {t('menu')}
          <ChevronDown aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start">
        <DropdownMenuLabel>{t('controls')}</DropdownMenuLabel>
        <DropdownMenuItem>
          <Camera aria-hidden />
          {t('act')}
        </DropdownMenuItem>
        <DropdownMenuItem disabled>{t('disabled')}</DropdownMenuItem>
        <DropdownMenuChoice checked={on} onCheckedChange={(next) => setOn(next === true)}>
          {t('one')}
        </DropdownMenuChoice>
        <DropdownMenuSeparator />
        <DropdownMenuItem tone="danger">
          <Trash2 aria-hidden />
          {t('remove')}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
