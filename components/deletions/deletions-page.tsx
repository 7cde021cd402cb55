'use client';
import { Trash2, Weight } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { ErrorState } from '@/components/data/error-state';
import { TimeAgo } from '@/components/data/format/time-ago';
import { usePersonName } from '@/components/data/format/use-person-name';
import { Value } from '@/components/data/format/value';
import { useDeletions } from '@/components/data/queries/use-deletions';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { useSortParam } from '@/components/data-table/use-sort-param';
import { SelectionText } from '@/components/deletions/plan/selection-text';
import { StopCard, StoppedAlert } from '@/components/deletions/run/stop-card';
import { useHere } from '@/components/layout/navigation/use-here';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import type { Deletion } from '@/lib/model/deletions/deletion';
import { DeletionBadge } from './deletion-badge';
import { LeftoversCard } from './leftovers-card';

/** The plans and deletions of one instance, the emergency stop, and internal keys that belong to no deletion. */
export function DeletionsPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('deletions');
  return (
    <div className="space-y-4">
      <PageHeader title={t('title')} description={t('intro')} />
      <EachCard>
        <StoppedAlert instanceId={instanceId} />
        <DeletionsCard instanceId={instanceId} />
      </EachCard>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <EachCard>
          <StopCard instanceId={instanceId} />
          <LeftoversCard instanceId={instanceId} />
        </EachCard>
      </div>
    </div>
  );
}

function DeletionsCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('deletions');
  const { data, error, refetch } = useDeletions(instanceId);
  const { instanceHref } = useHere();
  return (
    <Card>
      <CardHeader
        title={t('list.title')}
        actions={data && data.length > 0 ? <OneTableMenu id="deletions" name={t('list.title')} /> : null}
      />
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton className="m-4 h-24" /> : null}
      {data?.length === 0 ? (
        <EmptyState
          icon={Trash2}
          title={t('list.none')}
          actions={
            <Button asChild>
              <Link href={instanceHref(instanceId, '/bigkeys')}>
                <Weight aria-hidden />
                {t('list.toBigkeys')}
              </Link>
            </Button>
          }
        >
          {t('list.noneText')}
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? <List deletions={data} instanceId={instanceId} /> : null}
    </Card>
  );
}

/** Props of a row that is a link as a whole. */
const LINKED = { className: 'relative' };

function List({ deletions, instanceId }: { deletions: Deletion[]; instanceId: string }) {
  const { instanceHref } = useHere();
  const t = useTranslations('deletions');
  const order = useSortParam();
  const personName = usePersonName();
  const columns = useMemo(
    (): DataColumn<Deletion>[] => [
      {
        id: 'what',
        header: t('list.what'),
        descFirst: true,
        value: ({ plan }) => plan.totals.keys,
        cell: ({ plan }) => (
          <>
            <Link
              href={instanceHref(instanceId, `/deletions/${plan.id}`)}
              className="font-medium after:absolute after:inset-0 hover:underline"
            >
              {t(plan.task === 'expire' ? 'list.expire' : 'list.delete', { count: plan.totals.keys })}
            </Link>
            <p className="max-w-80 truncate text-muted-foreground text-xs">
              <SelectionText selection={plan.selection} max={40} />
            </p>
          </>
        ),
      },
      {
        id: 'state',
        header: t('list.state'),
        value: ({ state }) => state,
        cell: (deletion) => <DeletionBadge deletion={deletion} />,
      },
      createFigureColumn('removed', t('list.removed'), 'number', ({ removedElements }) => removedElements, {
        hide: 'max-sm:hidden',
      }),
      {
        id: 'undo',
        header: t('list.undo'),
        value: ({ undoable, undoUntil }) => (undoable > 0 ? undoUntil : null),
        hide: 'max-md:hidden',
        cell: (deletion) => (deletion.undoable > 0 ? <Value value={deletion.undoUntil} as="dateTime" /> : '—'),
      },
      {
        id: 'who',
        header: t('list.who'),
        value: ({ plan }) => plan.createdBy,
        hide: 'max-md:hidden',
        cell: ({ plan }) => personName(plan.createdBy, plan.createdById),
      },
      {
        id: 'when',
        header: t('list.when'),
        descFirst: true,
        value: ({ plan }) => plan.createdAt,
        hide: 'max-sm:hidden',
        cell: ({ plan }) => <TimeAgo at={plan.createdAt} />,
      },
    ],
    [t, instanceId, instanceHref, personName],
  );
  return (
    <DataTable
      id="deletions"
      label={t('list.title')}
      columns={columns}
      rows={deletions}
      rowId={(deletion) => deletion.plan.id}
      // The link in the first cell covers the row.
      rowProps={() => LINKED}
      order={order}
    />
  );
}
