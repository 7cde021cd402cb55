import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { buildApiUrl } from '@/components/data/api';
import { MayReadValues, useAsksReason } from '@/components/data/values/may-read-values';
import { ReasonField } from '@/components/data/values/reason-field';
import { getRememberedReason, rememberReason } from '@/components/data/values/remembered-reason';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import { isValueReason } from '@/lib/model/is-value-reason';

/** Downloads the archive of a deletion. That takes values out of Colonnade, so on production it needs a reason. */
export function DownloadArchive({ deletionId, instanceId }: { deletionId: string; instanceId: string }) {
  const t = useTranslations('deletions.result');
  const values = useTranslations('keys.values');
  const needsReason = useAsksReason(instanceId);
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const archiveUrl = (query: { reason?: string }) =>
    buildApiUrl('GET /api/deletions/{id}/archive', { id: deletionId, query });
  return (
    <MayReadValues instanceId={instanceId}>
      {needsReason ? (
        <Button
          size="sm"
          onClick={() => {
            setReason(getRememberedReason(instanceId));
            setOpen(true);
          }}
        >
          <Download aria-hidden />
          {t('download')}
        </Button>
      ) : (
        <Button asChild size="sm">
          <a href={archiveUrl({})} download>
            <Download aria-hidden />
            {t('download')}
          </a>
        </Button>
      )}
      {open ? (
        <ConfirmDialog
          title={t('download')}
          text={values('production')}
          confirm={t('download')}
          tone="primary"
          disabled={!isValueReason(reason)}
          onConfirm={() => {
            rememberReason(instanceId, reason);
            setOpen(false);
            window.location.assign(archiveUrl({ reason: reason.trim() }));
          }}
          onClose={() => setOpen(false)}
        >
          <ReasonField value={reason} onChange={setReason} />
        </ConfirmDialog>
      ) : null}
    </MayReadValues>
  );
}
