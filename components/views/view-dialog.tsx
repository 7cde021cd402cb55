import { type FormEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { useViewActs } from '@/components/data/queries/use-views';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/forms/input';
import { Label } from '@/components/ui/forms/label';
import { Switch } from '@/components/ui/forms/switch';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/overlays/dialog';
import type { SavedView } from '@/lib/model/saved-view';
import { useShownView } from './use-shown-view';

/** Saves the current state of the page as a view with a name, or renames an existing view. */
export function ViewDialog(props: {
  instanceId: string;
  view: SavedView | null;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations('nav');
  const form = useId();
  const { instanceId, view } = props;
  const { snapshotId, shownView } = useShownView(instanceId);
  const mayShare = useMay('policy.edit', instanceId);
  const { save, change } = useViewActs(instanceId);
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(false);
  const [pinned, setPinned] = useState(false);
  const mutation = view ? change : save;
  function submit(event: FormEvent) {
    event.preventDefault();
    const callbacks = { onSuccess: () => props.onOpenChange(false) };
    if (view) return change.mutate({ id: view.id, change: { name } }, callbacks);
    save.mutate({ name, shared, ...shownView(pinned) }, callbacks);
  }
  return (
    <Dialog open onOpenChange={props.onOpenChange}>
      <DialogContent
        title={t(view ? 'viewRenameTitle' : 'viewSaveTitle')}
        description={t('viewSaveText')}
        footer={
          <>
            <DialogClose asChild>
              <Button>{t('viewCancel')}</Button>
            </DialogClose>
            <Button type="submit" form={form} variant="primary" busy={mutation.isPending} disabled={name.trim() === ''}>
              {t('viewSubmit')}
            </Button>
          </>
        }
      >
        <form id={form} className="space-y-4" onSubmit={submit}>
          <div className="space-y-1.5">
            <Label htmlFor={`${form}-name`}>{t('viewName')}</Label>
            <Input id={`${form}-name`} value={name} maxLength={80} onChange={(event) => setName(event.target.value)} />
          </div>
          {view ? null : (
            <>
              {mayShare ? (
                <Choice id={`${form}-shared`} on={shared} onChange={setShared} text={t('viewShared')} />
              ) : null}
              {snapshotId ? (
                <Choice id={`${form}-pinned`} on={pinned} onChange={setPinned} text={t('viewPinned')} />
              ) : null}
            </>
          )}
          <ErrorAlert error={mutation.error} />
        </form>
      </DialogContent>
    </Dialog>
  );
}

function Choice(props: { id: string; on: boolean; onChange: (on: boolean) => void; text: string }) {
  return (
    <div className="flex items-center gap-2">
      <Switch id={props.id} checked={props.on} onCheckedChange={props.onChange} />
      <Label htmlFor={props.id} className="font-normal">
        {props.text}
      </Label>
    </div>
  );
}
