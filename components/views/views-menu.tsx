import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { createLazyMenuContent, DropdownMenu, DropdownMenuTrigger } from '@/components/ui/overlays/dropdown-menu';

const ViewDialog = createLazyPart(() => import('./view-dialog').then((loaded) => loaded.ViewDialog));
const ManageViews = createLazyPart(() => import('./manage-views').then((loaded) => loaded.ManageViews));

const Items = createLazyMenuContent(() => import('./views-menu-items').then((loaded) => loaded.ViewsMenuItems));

/** The saved views of an instance: open one, save another, manage them. */
export function ViewsMenu({ instanceId }: { instanceId: string }) {
  const t = useTranslations('nav');
  const [open, setOpen] = useState(false);
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  return (
    <>
      <DropdownMenu open={open} onOpenChange={setOpen}>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" className="shrink-0 max-sm:px-2" aria-label={t('views')} title={t('views')}>
            <Bookmark aria-hidden />
            <span className="max-2xl:hidden">{t('views')}</span>
          </Button>
        </DropdownMenuTrigger>
        <Items instanceId={instanceId} open={open} onDialog={setDialog} />
      </DropdownMenu>
      {dialog === 'save' ? (
        <ViewDialog instanceId={instanceId} view={null} onOpenChange={(on) => !on && setDialog(null)} />
      ) : null}
      {dialog === 'manage' ? (
        <ManageViews instanceId={instanceId} onOpenChange={(on) => !on && setDialog(null)} />
      ) : null}
    </>
  );
}
