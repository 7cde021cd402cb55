'use client';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useInstance } from '@/components/data/queries/use-instances';
import { useHere } from '@/components/layout/navigation/use-here';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { InstanceForm } from './instance-form';
import { RemoveCard } from './remove-card';

export function EditPage({ id }: { id: string }) {
  const t = useTranslations('instances');
  const router = useRouter();
  const { data: instance } = useInstance(id);
  const { instanceHref } = useHere();
  const href = instanceHref(id, '');
  if (!instance) return <Skeleton className="h-96 rounded-lg" />;
  return (
    <div className="space-y-4">
      <PageHeader title={t('editPage.title', { name: instance.name })} description={t('editPage.intro')} />
      <May permission="instance.manage" instanceId={id} reason>
        <InstanceForm
          // A changed instance is another form: what was typed belongs to the old one.
          key={instance.updatedAt}
          instance={instance}
          saveLabel={t('editPage.save')}
          savedText={(name) => t('editPage.saved', { name })}
          onSaved={() => {
            router.push(href);
            // Pages of before, with what the former server said, are not gone back to.
            router.refresh();
          }}
          cancel={
            <Button asChild size="lg" variant="ghost">
              <Link href={href}>{t('register.cancel')}</Link>
            </Button>
          }
        />
        <RemoveCard instance={instance} />
      </May>
    </div>
  );
}
