'use client';
import { Copy } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useInstance } from '@/components/data/queries/use-instances';
import { useHere } from '@/components/layout/navigation/use-here';
import { Button } from '@/components/ui/button';
import { useOpenedVersion } from '@/components/ui/forms/use-opened-version';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { useGo } from '@/components/ui/underway/use-go';
import type { Instance } from '@/lib/model/servers/instance';
import { InstanceForm } from './instance-form';
import { RemoveCard } from './remove-card';

export function EditPage({ id }: { id: string }) {
  const { data: instance } = useInstance(id);
  if (!instance) return <Skeleton className="h-96 rounded-lg" />;
  return <OpenedInstance key={id} newest={instance} />;
}

function OpenedInstance({ newest }: { newest: Instance }) {
  const t = useTranslations('instances');
  const router = useRouter();
  const go = useGo();
  const { instanceHref } = useHere();
  const { opened, newer, setChanged, open } = useOpenedVersion(newest);
  // A plan that could not be confirmed because of these settings leads here, and saving leads back to it.
  const plan = useSearchParams().get('plan');
  const href = instanceHref(newest.id, plan === null ? '' : `/deletions/${encodeURIComponent(plan)}`);
  return (
    <div className="space-y-4">
      <PageHeader
        title={t('editPage.title', { name: newest.name })}
        description={t('editPage.intro')}
        actions={
          <May permission="instance.manage">
            <Button asChild>
              <Link href={`/instances/new?copy=${encodeURIComponent(newest.id)}`}>
                <Copy aria-hidden />
                {t('editPage.copy')}
              </Link>
            </Button>
          </May>
        }
      />
      <May permission="instance.manage" instanceId={newest.id} instead>
        <InstanceForm
          // A new version creates a new form.
          key={opened.updatedAt}
          instance={opened}
          newer={newer}
          onChanged={setChanged}
          onOpen={open}
          saveLabel={t('editPage.save')}
          savedText={(name) => t('editPage.saved', { name })}
          onSaved={(saved) => {
            open(saved);
            go(href);
            // Discards cached pages, which show data of the former address or user.
            router.refresh();
          }}
          cancel={
            <Button asChild size="lg" variant="ghost">
              <Link href={href}>{t('register.cancel')}</Link>
            </Button>
          }
        />
        <RemoveCard instance={newest} />
      </May>
    </div>
  );
}
