import { useTranslations } from 'use-intl';
import { useSession } from '@/components/data/queries/accounts/use-session';
import { Alert } from '@/components/ui/alert';

/**
 * Says on every page that the control database refuses writes: the data shown is correct, but nothing can be changed.
 * `signedOut`: for pages where a person would sign in, which is not possible, because that writes a session.
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
