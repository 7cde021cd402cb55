'use client';
import { useTranslations } from 'use-intl';
import { PageHeader } from '@/components/ui/page-header';

export function FleetPage() {
  const t = useTranslations('nav');
  return <PageHeader title={t('fleet')} />;
}
