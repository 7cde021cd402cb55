import { BookmarkPlus, Settings2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useViews } from '@/components/data/queries/use-views';
import { chooseColumns } from '@/components/data-table/use-column-choice';
import {
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
} from '@/components/ui/overlays/dropdown-menu';
import { useGo } from '@/components/ui/underway/use-go';
import { toVisibleText } from '@/components/ui/visible-text';
import { buildViewPage } from './view-href';

export function ViewsMenuItems(props: {
  instanceId: string;
  open: boolean;
  onDialog: (dialog: 'save' | 'manage') => void;
}) {
  const t = useTranslations('nav');
  const go = useGo();
  const views = useViews(props.instanceId, props.open);
  return (
    <DropdownMenuContent align="start" className="w-72">
      <DropdownMenuLabel>{t('views')}</DropdownMenuLabel>
      {views.data?.map((view) => (
        <DropdownMenuItem
          key={view.id}
          onSelect={() => {
            chooseColumns(view.columns);
            go(buildViewPage(view));
          }}
        >
          <span className="min-w-0 flex-1 truncate">{toVisibleText(view.name)}</span>
          {view.shared ? (
            <span className="text-muted-foreground text-xs" title={t('viewBy', { name: view.by })}>
              {t('viewSharedBadge')}
            </span>
          ) : null}
        </DropdownMenuItem>
      ))}
      {views.data?.length === 0 ? <p className="px-2 py-1.5 text-muted-foreground text-xs">{t('viewsNone')}</p> : null}
      <DropdownMenuSeparator />
      <DropdownMenuItem onSelect={() => props.onDialog('save')}>
        <BookmarkPlus aria-hidden />
        {t('viewSave')}
      </DropdownMenuItem>
      {views.data && views.data.length > 0 ? (
        <DropdownMenuItem onSelect={() => props.onDialog('manage')}>
          <Settings2 aria-hidden />
          {t('viewManage')}
        </DropdownMenuItem>
      ) : null}
    </DropdownMenuContent>
  );
}
