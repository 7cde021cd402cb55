'use client';
import { useTranslations } from 'use-intl';
import { buildInstanceAddress } from '@/components/data/address/instance-address';
import { May } from '@/components/data/may';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { useGo } from '@/components/ui/underway/use-go';
import { InstanceForm } from './instance-form';

export function RegisterPage() {
  const t = useTranslations('instances.register');
  const go = useGo();
  return (
    <div className="space-y-4">
      <PageHeader title={t('title')} description={t('intro')} />
      <May permission="instance.manage" instead>
        <InstanceForm
          instance={null}
          saveLabel={t('save')}
          savedText={(name) => t('saved', { name })}
          onSaved={(instance) => go(buildInstanceAddress(instance.id))}
          cancel={
            <Button asChild size="lg" variant="ghost">
              <Link href="/">{t('cancel')}</Link>
            </Button>
          }
        />
      </May>
    </div>
  );
}
