import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useBeginProviderSignIn, useConfirmedAt, useProviders } from '@/components/data/queries/accounts/use-providers';
import { useSession } from '@/components/data/queries/accounts/use-session';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';

/**
 * People without a password use this: they sign in at their provider again, in a popup, so that this page keeps its
 * state. The time of the last confirmation, which the session contains, then changes.
 */
export function ProviderSignInDialog({
  provider,
  onClose,
}: {
  provider: string;
  onClose: (confirmed: boolean) => void;
}) {
  const t = useTranslations('account');
  const ui = useTranslations('ui');
  const user = useSession().data?.user;
  const label = useProviders().data?.find(({ id }) => id === provider)?.label ?? provider;
  const begin = useBeginProviderSignIn();
  const popup = useRef<Window | null>(null);
  /** The time of the last confirmation when the dialog was opened, epoch ms; null: not known yet. */
  const [before, setBefore] = useState<number | null>(null);
  const confirmedAt = useConfirmedAt();
  if (before === null && confirmedAt > 0) setBefore(confirmedAt);
  const confirmed = before !== null && confirmedAt > before;
  useEffect(() => {
    if (!confirmed) return;
    popup.current?.close();
    onClose(true);
  }, [confirmed, onClose]);
  const open = () => {
    // The popup is opened before the request, because the browser blocks popups that do not follow a click at once. If
    // it does not open, this page itself goes to the provider and returns to `next`.
    const next = `${window.location.pathname}${window.location.search}`;
    popup.current = window.open('', '_blank', 'popup,width=520,height=720');
    begin.mutate(
      { id: provider, next, purpose: 'confirm' },
      {
        onSuccess: ({ location }) => (popup.current?.location ?? window.location).assign(location),
        onError: () => popup.current?.close(),
      },
    );
  };
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose(false)}>
      <DialogContent
        title={t('fresh.titleProvider')}
        description={t('fresh.textProvider', { name: user?.name ?? '', label })}
        className="max-w-md"
        footer={
          <>
            <Button onClick={() => onClose(false)}>{ui('cancel')}</Button>
            <Button variant="primary" busy={begin.isPending} onClick={open}>
              {t('fresh.atProvider', { label })}
            </Button>
          </>
        }
      >
        <ErrorAlert error={begin.error} />
        {begin.isSuccess ? (
          <p role="status" className="text-muted-foreground text-sm">
            {t('fresh.waiting', { label })}
          </p>
        ) : null}
      </DialogContent>
    </Dialog>
  );
}
