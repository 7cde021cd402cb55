'use client';
import { Trash2, Weight } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { TimeAgo } from '@/components/data/format/time-ago';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { useDeletions } from '@/components/data/use-deletions';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { Deletion } from '@/lib/model/deletion';
import { DeletionBadge } from './deletion-badge';
import { LeftoversCard } from './leftovers-card';
import { SelectionText } from './selection-text';
import { StopCard, StoppedAlert } from './stop-card';

/** Plans and deletions of one instance, the emergency stop, and keys of Colonnade that nobody owns. */
export function DeletionsPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('deletions');
  const { data, error, refetch } = useDeletions(instanceId);
  const base = `/instances/${encodeURIComponent(instanceId)}`;
  return (
    <div className="space-y-4">
      <PageHeader title={t('title')} description={t('intro')} />
      <StoppedAlert instanceId={instanceId} />
      <Card>
        <CardHeader title={t('list.title')} />
        {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
        {!data && !error ? <Skeleton className="m-4 h-24" /> : null}
        {data?.length === 0 ? (
          <EmptyState
            icon={Trash2}
            title={t('list.none')}
            actions={
              <Button asChild>
                <Link href={`${base}/bigkeys`}>
                  <Weight aria-hidden />
                  {t('list.toBigkeys')}
                </Link>
              </Button>
            }
          >
            {t('list.noneText')}
          </EmptyState>
        ) : null}
        {data && data.length > 0 ? <List deletions={data} base={base} /> : null}
      </Card>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <StopCard instanceId={instanceId} />
        <LeftoversCard instanceId={instanceId} />
      </div>
    </div>
  );
}

function List({ deletions, base }: { deletions: Deletion[]; base: string }) {
  const t = useTranslations('deletions');
  const f = useFormat();
  return (
    <TableScroll label={t('list.title')}>
      <Table>
        <THead>
          <tr>
            <Th>{t('list.what')}</Th>
            <Th>{t('list.state')}</Th>
            <Th right className="max-sm:hidden">
              {t('list.removed')}
            </Th>
            <Th className="max-md:hidden">{t('list.undo')}</Th>
            <Th className="max-md:hidden">{t('list.who')}</Th>
            <Th className="max-sm:hidden">{t('list.when')}</Th>
          </tr>
        </THead>
        <TBody>
          {deletions.map((deletion) => (
            <Tr key={deletion.plan.id}>
              <Td>
                <Link href={`${base}/deletions/${deletion.plan.id}`} className="font-medium hover:underline">
                  {t(deletion.plan.task === 'expire' ? 'list.expire' : 'list.delete', {
                    count: deletion.plan.totals.keys,
                  })}
                </Link>
                <p className="max-w-80 truncate text-muted-foreground text-xs">
                  <SelectionText selection={deletion.plan.selection} max={40} />
                </p>
              </Td>
              <Td>
                <DeletionBadge deletion={deletion} />
              </Td>
              <Td num className="max-sm:hidden">
                {f.number(deletion.removedElements)}
              </Td>
              <Td className="max-md:hidden">
                {deletion.undoable > 0 ? <Value value={deletion.undoUntil} as="dateTime" /> : '—'}
              </Td>
              <Td className="max-md:hidden">{deletion.plan.createdBy}</Td>
              <Td className="max-sm:hidden">
                <TimeAgo at={deletion.plan.createdAt} />
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
    </TableScroll>
  );
}
