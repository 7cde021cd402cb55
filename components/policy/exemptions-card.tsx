import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { useFormat } from '@/components/data/format/use-format';
import { useExemptions, useRemoveExemption } from '@/components/data/queries/use-exemptions';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { ExemptDialog } from '@/components/rules/exempt-dialog';
import { RuleId } from '@/components/rules/rule-id';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import { SkeletonRows } from '@/components/ui/skeleton';
import { visibleText } from '@/components/ui/visible-text';
import type { Exemption } from '@/lib/model/rules/policy';
import { RemoveButton } from './remove-button';

const SOON_MS = 14 * 86_400_000;

export function ExemptionsCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('policy.exemptions');
  const f = useFormat();
  const { data, error, refetch, dataUpdatedAt } = useExemptions(instanceId);
  const remove = useRemoveExemption();
  const [editing, setEditing] = useState<Exemption | { rule?: string } | null>(null);
  const columns: DataColumn<Exemption>[] = [
    {
      id: 'rule',
      header: t('rule'),
      value: (row) => row.rule,
      className: 'max-sm:pr-1',
      cell: (row) => <RuleId id={row.rule} />,
    },
    {
      id: 'where',
      header: t('where'),
      value: (row) => row.prefix ?? row.pattern ?? '',
      cell: (row) => (
        <>
          {row.prefix === '' ? (
            <span className="text-muted-foreground">{t('everyKey')}</span>
          ) : (
            <KeyName name={row.prefix ?? row.pattern ?? ''} max={40} />
          )}{' '}
          {row.instanceId === null ? <Badge tone="outline">{t('everywhere')}</Badge> : null}
        </>
      ),
    },
    {
      id: 'until',
      header: t('until'),
      // Without an end is known, and later than every end.
      value: (row) => row.expiresAt ?? Number.MAX_VALUE,
      className: 'sm:whitespace-nowrap',
      titleOf: (row) => f.dateTimeExact(row.expiresAt),
      cell: (row) => (
        <>
          {row.expiresAt === null ? t('forever') : f.date(row.expiresAt)}{' '}
          {row.expiresAt === null ? null : row.expiresAt <= dataUpdatedAt ? (
            <Badge tone="danger">{t('over')}</Badge>
          ) : row.expiresAt - dataUpdatedAt < SOON_MS ? (
            <Badge tone="warning">{t('soon')}</Badge>
          ) : null}
        </>
      ),
    },
    {
      id: 'owner',
      header: t('owner'),
      hide: 'max-sm:hidden',
      value: (row) => row.owner,
      cell: (row) => visibleText(row.owner),
    },
    {
      id: 'reason',
      header: t('reason'),
      hide: 'max-md:hidden',
      className: 'min-w-48 max-w-md text-muted-foreground [overflow-wrap:anywhere]',
      cell: (row) => visibleText(row.reason),
    },
    {
      id: 'actions',
      header: t('actions'),
      quiet: true,
      className: 'w-px whitespace-nowrap',
      cell: (row) => (
        <>
          <Button
            size="iconSm"
            variant="ghost"
            aria-label={t('change', { rule: row.rule })}
            onClick={() => setEditing(row)}
          >
            <Pencil aria-hidden />
          </Button>
          <RemoveButton label={t('remove', { rule: row.rule })} text={t('removeText')} remove={remove} id={row.id} />
        </>
      ),
    },
  ];
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <Button size="sm" onClick={() => setEditing({})}>
            <Plus aria-hidden />
            {t('add')}
          </Button>
        }
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={2} />
      ) : data.length === 0 ? (
        <CardBody className="text-muted-foreground text-sm">{t('none')}</CardBody>
      ) : (
        <DataTable label={t('title')} columns={columns} rows={data} rowId={(row) => row.id} />
      )}
      {editing ? (
        <ExemptDialog instanceId={instanceId} open onOpenChange={(open) => !open && setEditing(null)} start={editing} />
      ) : null}
    </Card>
  );
}
