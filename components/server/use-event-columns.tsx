import { useTranslations } from 'use-intl';
import { Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';

/** Columns that say when and on which node something happened. */
export function useEventColumns<R extends { at: number; address: string }>(): DataColumn<R>[] {
  const t = useTranslations('serverAudit.column');
  return [
    {
      id: 'at',
      header: t('at'),
      descFirst: true,
      hide: 'max-sm:hidden',
      value: (row) => row.at,
      className: 'whitespace-nowrap text-muted-foreground text-xs',
      cell: (row) => <Value value={row.at} as="dateTime" />,
    },
    {
      id: 'node',
      header: t('node'),
      hide: 'max-sm:hidden',
      value: (row) => row.address,
      className: 'whitespace-nowrap font-mono text-muted-foreground text-xs',
      cell: (row) => row.address,
    },
  ];
}
