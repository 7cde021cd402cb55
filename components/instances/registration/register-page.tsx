'use client';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { instanceAddress } from '@/components/data/address/instance-address';
import { May } from '@/components/data/may';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { InstanceForm } from './instance-form';

export function RegisterPage() {
  const t = useTranslations('instances.register');
  const router = useRouter();
  return (
    <div className="space-y-4">
      <PageHeader title={t('title')} description={t('intro')} />
      <May permission="instance.manage" reason>
        <InstanceForm
          instance={null}
          saveLabel={t('save')}
          savedText={(name) => t('saved', { name })}
          onSaved={(instance) => router.push(instanceAddress(instance.id))}
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
