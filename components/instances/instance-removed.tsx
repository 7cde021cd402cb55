import { Unplug } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { NothingHere } from '@/components/layout/page-missing';

/** Says that an instance was removed while somebody looked at it. */
export function InstanceRemoved() {
  const t = useTranslations('nav');
  return (
    <NothingHere icon={Unplug} title={t('removedTitle')}>
      {t('removedText')}
    </NothingHere>
  );
}
