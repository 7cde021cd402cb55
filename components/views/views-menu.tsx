import { Bookmark, BookmarkPlus, Settings2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useViews } from '@/components/data/queries/use-views';
import { chooseColumns } from '@/components/data-table/use-column-choice';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { LazyManageViews, LazyViewDialog } from './lazy-view-dialog';
import { pageOfView } from './view-href';

/** The saved views of an instance: open one, save another, manage them. */
export function ViewsMenu({ instanceId }: { instanceId: string }) {
  const t = useTranslations('nav');
  const [open, setOpen] = useState(false);
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const router = useRouter();
  const views = useViews(instanceId, open);
  return (
    <>
      <DropdownMenu open={open} onOpenChange={setOpen}>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={t('views')} title={t('views')}>
            <Bookmark aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="start" className="w-72">
          <DropdownMenuLabel>{t('views')}</DropdownMenuLabel>
          {views.data?.map((view) => (
            <DropdownMenuItem
              key={view.id}
              onSelect={() => {
                chooseColumns(view.columns);
                router.push(pageOfView(view));
              }}
            >
              <span className="min-w-0 flex-1 truncate">{view.name}</span>
              {view.shared ? (
                <span className="text-muted-foreground text-xs" title={t('viewBy', { name: view.by })}>
                  {t('viewSharedBadge')}
                </span>
              ) : null}
            </DropdownMenuItem>
          ))}
          {views.data?.length === 0 ? (
            <p className="px-2 py-1.5 text-muted-foreground text-xs">{t('viewsNone')}</p>
          ) : null}
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={() => setDialog('save')}>
            <BookmarkPlus aria-hidden />
            {t('viewSave')}
          </DropdownMenuItem>
          {views.data && views.data.length > 0 ? (
            <DropdownMenuItem onSelect={() => setDialog('manage')}>
              <Settings2 aria-hidden />
              {t('viewManage')}
            </DropdownMenuItem>
          ) : null}
        </DropdownMenuContent>
      </DropdownMenu>
      {dialog === 'save' ? (
        <LazyViewDialog instanceId={instanceId} view={null} onOpenChange={(on) => !on && setDialog(null)} />
      ) : null}
      {dialog === 'manage' ? (
        <LazyManageViews instanceId={instanceId} onOpenChange={(on) => !on && setDialog(null)} />
      ) : null}
    </>
  );
}
