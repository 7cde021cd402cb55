import { useTranslations } from 'use-intl';
import { useSession } from '@/components/data/queries/use-session';
import { Alert } from '@/components/ui/alert';

/** On every page while the control database refuses writes: what is shown is true, and nothing can be changed. */
export function StoreReadOnly() {
  const t = useTranslations('nav');
  if (!useSession().data?.storeReadOnly) return null;
  return (
    <Alert tone="danger" title={t('storeReadOnly')} className="mb-4">
      {t('storeReadOnlyText')}
    </Alert>
  );
}
