import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useViewActs } from '@/components/data/queries/use-views';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { toVisibleText } from '@/components/ui/visible-text';
import type { SavedView } from '@/lib/model/saved-view';
import { useShownView } from './use-shown-view';
import { keepsSnapshot } from './view-href';

/**
 * Updates a view to what the page below the dialog currently shows. A view with a fixed snapshot gets the current one.
 */
export function UpdateViewDialog({ view, onClose }: { view: SavedView; onClose: () => void }) {
  const t = useTranslations('nav');
  const { change } = useViewActs(view.instanceId);
  const { shownView, pending } = useShownView(view.instanceId);
  const pinned = keepsSnapshot(view);
  const update = () =>
    change.mutate(
      { id: view.id, change: shownView(pinned) },
      {
        onSuccess: () => {
          toast.success(t('viewUpdated'));
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={t('viewUpdateTitle', { name: toVisibleText(view.name) })}
      text={t('viewUpdateText')}
      confirm={t('viewUpdateSubmit')}
      tone="primary"
      disabled={pinned && pending}
      busy={change.isPending}
      onConfirm={update}
      onClose={onClose}
    >
      {view.shared ? <p>{t('viewUpdateShared')}</p> : null}
      <ErrorAlert error={change.error} />
    </ConfirmDialog>
  );
}
