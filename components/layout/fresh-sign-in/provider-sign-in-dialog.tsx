import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useBeginProviderSignIn, useConfirmedAt, useProviders } from '@/components/data/queries/accounts/use-providers';
import { useSession } from '@/components/data/queries/accounts/use-session';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';

/**
 * For people without a password: they sign in at their provider again, in a popup, so that this page keeps its state.
 * The session shows when they have.
 */
export function ProviderSignInDialog({ provider, onClose }: { provider: string; onClose: (given: boolean) => void }) {
  const t = useTranslations('account');
  const ui = useTranslations('ui');
  const errorText = useErrorText();
  const user = useSession().data?.user;
  const label = useProviders().data?.find(({ id }) => id === provider)?.label ?? provider;
  const begin = useBeginProviderSignIn();
  const popup = useRef<Window | null>(null);
  const [before, setBefore] = useState<number | null>(null);
  const confirmedAt = useConfirmedAt();
  if (before === null && confirmedAt > 0) setBefore(confirmedAt);
  const given = before !== null && confirmedAt > before;
  useEffect(() => {
    if (!given) return;
    popup.current?.close();
    onClose(true);
  }, [given, onClose]);
  const open = () => {
    // Opened at once: after the request the browser would block it as a popup that no click caused. If it does not
    // open, this page goes to the provider and comes back.
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
  const failed = begin.error ? errorText(begin.error) : null;
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
        {failed ? (
          <Alert tone="danger" title={failed.title}>
            {failed.hint}
          </Alert>
        ) : begin.isSuccess ? (
          <p role="status" className="text-muted-foreground text-sm">
            {t('fresh.waiting', { label })}
          </p>
        ) : null}
      </DialogContent>
    </Dialog>
  );
}
