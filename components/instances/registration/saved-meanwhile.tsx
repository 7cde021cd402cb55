import { useTranslations } from 'use-intl';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';

/**
 * Another person has saved since the form was opened: the typed values stay readable but cannot overwrite the new
 * version.
 */
export function SavedMeanwhile({ onOpen }: { onOpen: () => void }) {
  const t = useTranslations('instances.editPage');
  return (
    <Alert tone="warning">
      <p>{t('savedMeanwhile')}</p>
      <Button size="sm" className="mt-2" onClick={onOpen}>
        {t('openTheirs')}
      </Button>
    </Alert>
  );
}
