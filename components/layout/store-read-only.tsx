import { useTranslations } from 'use-intl';
import { useSession } from '@/components/data/queries/accounts/use-session';
import { Alert } from '@/components/ui/alert';

/**
 * On every page while the control database refuses writes: what is shown is true, and nothing can be changed.
 * `signedOut`: where somebody would sign in, which writes a session.
 */
export function StoreReadOnly({ signedOut = false }: { signedOut?: boolean }) {
  const t = useTranslations('nav');
  if (!useSession().data?.storeReadOnly) return null;
  return (
    <Alert tone="danger" title={t(signedOut ? 'noSignIn' : 'storeReadOnly')} className="mb-4">
      {t(signedOut ? 'noSignInText' : 'storeReadOnlyText')}
    </Alert>
  );
}
