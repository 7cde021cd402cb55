'use client';
import { Plus, ServerCog } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { ErrorState } from '@/components/data/error-state';
import { May } from '@/components/data/may';
import { useSession } from '@/components/data/queries/accounts/use-session';
import { useFleet } from '@/components/data/queries/use-fleet';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import { DemoLine } from './demo-line';
import { FleetSummary } from './fleet-summary';
import { FleetTable } from './fleet-table';

export function FleetPage() {
  const t = useTranslations('fleet');
  const fleet = useFleet();
  const demo = useSession().data?.demo ?? false;
  const register = (
    <May permission="instance.manage" reason>
      <Button asChild variant="primary">
        <Link href="/instances/new">
          <Plus aria-hidden />
          {t('register')}
        </Link>
      </Button>
    </May>
  );
  return (
    <div className="space-y-4">
      <PageHeader title={t('title')} description={t('intro')} actions={fleet.data?.length === 0 ? null : register} />
      {fleet.error && !fleet.data ? (
        <Card>
          <ErrorState error={fleet.error} onRetry={() => void fleet.refetch()} />
        </Card>
      ) : !fleet.data ? (
        <Card role="status" aria-label={t('tableLabel')}>
          <SkeletonRows rows={6} />
        </Card>
      ) : fleet.data.length === 0 ? (
        <Card>
          <EmptyState icon={ServerCog} title={t('empty.title')} actions={register} className="py-20">
            {t('empty.text')}
          </EmptyState>
        </Card>
      ) : (
        <EachCard>
          {demo ? <DemoLine rows={fleet.data} /> : null}
          <FleetSummary rows={fleet.data} />
          <FleetTable all={fleet.data} />
        </EachCard>
      )}
    </div>
  );
}
