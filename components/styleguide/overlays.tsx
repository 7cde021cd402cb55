import { Camera, ChevronDown, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { ConfirmDialog, TypedWord } from '@/components/ui/overlays/confirm-dialog';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/overlays/dialog';
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

/** What lies above the page, each opened by its button. */
export function Overlays() {
  const t = useTranslations('styleguide');
  const [sheet, setSheet] = useState(false);
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
        <Tooltip content={t('hint')}>
          <Button>{t('tooltip')}</Button>
        </Tooltip>
        <DialogSample />
        <ConfirmSample />
        <Button onClick={() => setSheet(true)}>{t('sheet')}</Button>
        <Sheet open={sheet} onOpenChange={setSheet}>
          <SheetContent side="right" title={t('sheet')}>
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

function DialogSample() {
  const t = useTranslations('styleguide');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('dialog')}</Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent
          title={t('dialog')}
          description={t('hint')}
          onSubmit={() => setOpen(false)}
          footer={
            <>
              <DialogClose asChild>
                <Button>{t('cancel')}</Button>
              </DialogClose>
              <Button type="submit" variant="primary">
                {t('act')}
              </Button>
            </>
          }
        >
          <Field label={t('field')} hint={t('hint')}>
            <Input defaultValue="user:" />
          </Field>
        </DialogContent>
      </Dialog>
    </>
  );
}

function ConfirmSample() {
  const t = useTranslations('styleguide');
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const close = () => {
    setOpen(false);
    setTyped('');
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('confirm')}</Button>
      {open ? (
        <ConfirmDialog
          title={t('confirm')}
          text={t('hint')}
          confirm={t('remove')}
          disabled={typed !== 'mall'}
          onConfirm={close}
          onClose={close}
        >
          <TypedWord label={t('field')} word="mall" value={typed} onChange={setTyped} />
        </ConfirmDialog>
      ) : null}
    </>
  );
}
