import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useDeletions, useGiveUp } from '@/components/data/queries/use-deletions';
import { useRemoveInstance } from '@/components/data/queries/use-instances';
import { useHere } from '@/components/layout/navigation/use-here';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { ConfirmDialog, TypedWord } from '@/components/ui/overlays/confirm-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { useGo } from '@/components/ui/underway/use-go';
import type { Instance } from '@/lib/model/servers/instance';

/** Deletes the instance, unless deletions still hold something on its servers that can be undone. */
export function RemoveCard({ instance }: { instance: Instance }) {
  const t = useTranslations('instances.remove');
  const go = useGo();
  const { instanceHref } = useHere();
  const remove = useRemoveInstance();
  const [open, setOpen] = useState(false);
  const [givingUp, setGivingUp] = useState(false);
  const [typed, setTyped] = useState('');
  const deletions = useDeletions(instance.id);
  const openDeletions = (deletions.data ?? []).filter(
    ({ plan, undoable, counts }) => !plan.givenUp && (undoable > 0 || (counts.draining ?? 0) > 0),
  );
  const confirm = () =>
    remove.mutate(instance.id, {
      onSuccess: () => {
        toast.success(t('done', { name: instance.name }));
        go('/');
      },
    });
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div>
        <h2 className="font-semibold">{t('title')}</h2>
        <p className="text-muted-foreground">{t('text')}</p>
        {openDeletions.length > 0 ? (
          <div className="mt-2">
            <p>{t('holding')}</p>
            <ul className="list-disc pl-4">
              {openDeletions.map(({ plan, undoable }) => (
                <li key={plan.id}>
                  <Link
                    href={instanceHref(instance.id, `/deletions/${encodeURIComponent(plan.id)}`)}
                    className="rounded underline hover:text-foreground"
                  >
                    {t('holds', { count: undoable })}
                  </Link>
                </li>
              ))}
            </ul>
            <Button size="sm" variant="dangerGhost" className="mt-2" onClick={() => setGivingUp(true)}>
              {t('lost')}
            </Button>
          </div>
        ) : null}
      </div>
      <Button variant="dangerGhost" disabled={openDeletions.length > 0} onClick={() => setOpen(true)}>
        <Trash2 aria-hidden />
        {t('button')}
      </Button>
      {givingUp ? <GiveUpDialog instance={instance} onClose={() => setGivingUp(false)} /> : null}
      {open ? (
        <ConfirmDialog
          title={t('confirmTitle', { name: instance.name })}
          text={t('confirmText')}
          confirm={t('confirm')}
          disabled={typed !== instance.name}
          busy={remove.isPending}
          onClose={() => setOpen(false)}
          onConfirm={confirm}
        >
          <div className="space-y-3">
            <TypedWord label={t('confirmType')} word={instance.name} value={typed} onChange={setTyped} />
            <ErrorAlert error={remove.error} />
          </div>
        </ConfirmDialog>
      ) : null}
    </Card>
  );
}

/** Gives up the tombstones on a server that is lost for good, so that the instance can be deleted. */
function GiveUpDialog({ instance, onClose }: { instance: Instance; onClose: () => void }) {
  const t = useTranslations('instances.giveUp');
  const giveUp = useGiveUp(instance.id);
  const [typed, setTyped] = useState('');
  const [agreed, setAgreed] = useState(false);
  return (
    <ConfirmDialog
      title={t('title', { name: instance.name })}
      text={t('text')}
      confirm={t('confirm')}
      disabled={typed !== instance.name || !agreed}
      busy={giveUp.isPending}
      onClose={onClose}
      onConfirm={() => giveUp.mutate({ confirm: typed, consents: ['set_aside_lost'] }, { onSuccess: onClose })}
    >
      <div className="space-y-4">
        <label className="flex items-start gap-2.5">
          <input
            type="checkbox"
            className="mt-0.5 size-4 shrink-0 accent-accent-solid"
            checked={agreed}
            onChange={(event) => setAgreed(event.target.checked)}
          />
          <span>{t('consent')}</span>
        </label>
        <TypedWord label={t('type')} word={instance.name} value={typed} onChange={setTyped} />
        <ErrorAlert error={giveUp.error} />
      </div>
    </ConfirmDialog>
  );
}
