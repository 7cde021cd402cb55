'use client';
import { ListPlus } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { buildInstanceAddress } from '@/components/data/address/instance-address';
import { May } from '@/components/data/may';
import { useInstance } from '@/components/data/queries/use-instances';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { useGo } from '@/components/ui/underway/use-go';
import { toFormValues } from './form-values';
import { InstanceForm } from './instance-form';

const InstanceImportDialog = createLazyPart(() =>
  import('@/components/instances/import/instance-import-dialog').then((loaded) => loaded.InstanceImportDialog),
);

/** Registers one instance, or many from a list. `?copy=ID`: the form begins with the settings of that instance. */
export function RegisterPage() {
  const t = useTranslations('instances.register');
  const go = useGo();
  const copyId = useSearchParams().get('copy');
  const copied = useInstance(copyId);
  const [importing, setImporting] = useState(false);
  const name = copied.data?.name;
  return (
    <div className="space-y-4">
      <PageHeader
        title={name === undefined ? t('title') : t('copyTitle', { name })}
        description={name === undefined ? t('intro') : t('copyIntro')}
        actions={
          <May permission="instance.manage">
            <Button onClick={() => setImporting(true)}>
              <ListPlus aria-hidden />
              {t('many')}
            </Button>
          </May>
        }
      />
      <May permission="instance.manage" instead>
        {copyId !== null && copied.isLoading ? (
          <Skeleton className="h-96 rounded-lg" />
        ) : (
          <InstanceForm
            instance={null}
            {...(copied.data && {
              initial: { ...toFormValues(copied.data), name: t('copyName', { name: copied.data.name }).slice(0, 80) },
            })}
            saveLabel={t('save')}
            savedText={(saved) => t('saved', { name: saved })}
            onSaved={(instance) => go(buildInstanceAddress(instance.id))}
            cancel={
              <Button asChild size="lg" variant="ghost">
                <Link href="/">{t('cancel')}</Link>
              </Button>
            }
          />
        )}
      </May>
      {importing ? <InstanceImportDialog onClose={() => setImporting(false)} /> : null}
    </div>
  );
}
