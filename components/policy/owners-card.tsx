import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { useOwners, useRemoveOwner } from '@/components/data/queries/use-exemptions';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { OwnerDialog } from '@/components/rules/owner-dialog';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import { SkeletonRows } from '@/components/ui/skeleton';
import { visibleText } from '@/components/ui/visible-text';
import type { PrefixOwner } from '@/lib/model/rules/policy';
import { RemoveButton } from './remove-button';

export function OwnersCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('policy.owners');
  const { data, error, refetch } = useOwners(instanceId);
  const remove = useRemoveOwner();
  const [editing, setEditing] = useState<PrefixOwner | { prefix?: string } | null>(null);
  const columns: DataColumn<PrefixOwner>[] = [
    {
      id: 'prefix',
      header: t('prefix'),
      value: (row) => row.prefix,
      cell: (row) => (
        <>
          <KeyName name={row.prefix} max={60} />{' '}
          {row.instanceId === null ? <Badge tone="outline">{t('everywhere')}</Badge> : null}
        </>
      ),
    },
    {
      id: 'team',
      header: t('team'),
      value: (row) => row.team,
      className: '[overflow-wrap:anywhere]',
      cell: (row) => visibleText(row.team),
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
            aria-label={t('change', { prefix: row.prefix })}
            onClick={() => setEditing(row)}
          >
            <Pencil aria-hidden />
          </Button>
          <RemoveButton
            label={t('remove', { prefix: row.prefix })}
            text={t('removeText')}
            remove={remove}
            id={row.id}
          />
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
        <OwnerDialog instanceId={instanceId} open onOpenChange={(open) => !open && setEditing(null)} start={editing} />
      ) : null}
    </Card>
  );
}
