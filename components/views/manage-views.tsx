import { Link2, Pencil, RefreshCw, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { useViewActs, useViews } from '@/components/data/queries/use-views';
import { useErrorText } from '@/components/data/use-error-text';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { toast } from '@/components/ui/overlays/toast';
import { putOnClipboard } from '@/components/ui/use-copied';
import { toVisibleText } from '@/components/ui/visible-text';
import type { SavedView } from '@/lib/model/saved-view';
import { UpdateViewDialog } from './update-view-dialog';
import { ViewDialog } from './view-dialog';
import { buildViewLink } from './view-href';

/** Manages the views of an instance: copies links to them, renames, updates, shares and deletes them. */
export function ManageViews(props: { instanceId: string; onOpenChange: (open: boolean) => void }) {
  const t = useTranslations('nav');
  const { data: views } = useViews(props.instanceId);
  const [renamed, setRenamed] = useState<SavedView | null>(null);
  const [updated, setUpdated] = useState<SavedView | null>(null);
  if (renamed)
    return (
      <ViewDialog instanceId={props.instanceId} view={renamed} onOpenChange={(open) => !open && setRenamed(null)} />
    );
  if (updated) return <UpdateViewDialog view={updated} onClose={() => setUpdated(null)} />;
  return (
    <Dialog open onOpenChange={props.onOpenChange}>
      <DialogContent title={t('viewManageTitle')}>
        {views?.length === 0 ? <p className="text-muted-foreground">{t('viewsNone')}</p> : null}
        <ul className="divide-y">
          {views?.map((view) => (
            <ViewRow key={view.id} view={view} onRename={() => setRenamed(view)} onUpdate={() => setUpdated(view)} />
          ))}
        </ul>
      </DialogContent>
    </Dialog>
  );
}

/** One view with a button for each action that the reader may perform. */
function ViewRow(props: { view: SavedView; onRename: () => void; onUpdate: () => void }) {
  const { view } = props;
  const t = useTranslations('nav');
  const errorText = useErrorText();
  const { change, remove } = useViewActs(view.instanceId);
  const mayShare = useMay('policy.edit', view.instanceId);
  const mayEdit = view.own || mayShare;
  const onError = (error: Error) => toast.error(errorText(error).title);
  const copy = async () => {
    if (await putOnClipboard(location.origin + buildViewLink(view)))
      toast.success(t(view.shared ? 'viewCopied' : 'viewCopiedOwn'));
    else toast.error(t('viewNotCopied'));
  };
  const actions = [
    {
      id: 'copy',
      label: t(view.shared ? 'viewCopy' : 'viewCopyOwn'),
      Icon: Link2,
      run: () => void copy(),
      may: true,
    },
    {
      id: 'update',
      label: t('viewUpdate'),
      Icon: RefreshCw,
      run: props.onUpdate,
      may: mayShare || (view.own && !view.shared),
    },
    { id: 'rename', label: t('viewRename'), Icon: Pencil, run: props.onRename, may: mayEdit },
    {
      id: 'share',
      label: t(view.shared ? 'viewUnshare' : 'viewShare'),
      Icon: Users,
      run: () => change.mutate({ id: view.id, change: { shared: !view.shared } }, { onError }),
      may: mayShare || (view.own && view.shared),
    },
    {
      id: 'remove',
      label: t('viewRemove'),
      Icon: Trash2,
      run: () => remove.mutate(view.id, { onError }),
      may: mayEdit,
    },
  ];
  return (
    <li className="flex items-center gap-1 py-1.5">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{toVisibleText(view.name)}</span>
        <span className="block text-muted-foreground text-xs">
          {t(view.shared ? 'viewSharedBadge' : 'viewPersonalBadge')} · {t('viewBy', { name: view.by })}
        </span>
      </span>
      {actions
        .filter(({ may }) => may)
        .map(({ id, label, Icon, run }) => (
          <Button
            key={id}
            variant="ghost"
            size="iconSm"
            aria-label={`${label}: ${toVisibleText(view.name)}`}
            title={label}
            onClick={run}
          >
            <Icon aria-hidden />
          </Button>
        ))}
    </li>
  );
}
