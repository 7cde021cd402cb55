import { useTranslations } from 'use-intl';
import { useOwners, useRemoveOwner } from '@/components/data/queries/policies/use-exemptions';
import type { DataColumn } from '@/components/data-table/data-column';
import { LazyOwnerDialog } from '@/components/rules/lazy-policy-dialogs';
import { Badge } from '@/components/ui/badge';
import { KeyName } from '@/components/ui/key-name';
import { toVisibleText } from '@/components/ui/visible-text';
import type { PrefixOwner } from '@/lib/model/rules/policy';
import { EditableListCard } from './editable-list-card';

export function OwnersCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('policy.owners');
  const list = useOwners(instanceId);
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
      cell: (row) => toVisibleText(row.team),
    },
  ];
  return (
    <EditableListCard
      instanceId={instanceId}
      words="policy.owners"
      changeLabel={(row) => t('change', { prefix: row.prefix })}
      removeLabel={(row) => t('remove', { prefix: row.prefix })}
      columns={columns}
      list={list}
      remove={useRemoveOwner()}
      dialog={(row, close) => (
        <LazyOwnerDialog instanceId={instanceId} open onOpenChange={(open) => !open && close()} start={row ?? {}} />
      )}
    />
  );
}
