import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useGiveUp } from '@/components/data/queries/use-deletions';
import { ConfirmDialog, TypedWord } from '@/components/ui/overlays/confirm-dialog';
import type { Instance } from '@/lib/model/servers/instance';

/** For a server that is lost for good: what is tombstoned there is given up, so that the instance can be deleted. */
export function GiveUpDialog({ instance, onClose }: { instance: Instance; onClose: () => void }) {
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
