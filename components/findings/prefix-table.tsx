import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useMay } from '@/components/data/queries/accounts/use-session';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { buildPathFilterPatch } from '@/components/reports/filter/level-filter';
import { PrefixName } from '@/components/reports/prefix-name';
import { ShareCell } from '@/components/reports/share-cell';
import { useReportHref } from '@/components/reports/use-report-href';
import type { ExemptedPlaces } from '@/components/rules/path-exemption';
import { Card, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import { toVisibleText } from '@/components/ui/visible-text';
import type { RuleFindingReport } from '@/lib/model/rules/findings';
import { ExemptButton } from './exempt-button';

/** The prefixes under which a rule is violated. A click lists exactly these keys. */
export function PrefixTable(props: {
  instanceId: string;
  rule: string;
  report: RuleFindingReport;
  onExempt: (start: ExemptedPlaces) => void;
  pager: ReactNode;
}) {
  const t = useTranslations('findings');
  const mayExempt = useMay('policy.edit', props.instanceId);
  const href = useReportHref(props.instanceId);
  const { prefixes } = props.report;
  const columns: DataColumn<RuleFindingReport['prefixes'][number]>[] = [
    {
      id: 'prefix',
      header: t('column.prefix'),
      value: (row) => row.path,
      className: 'max-w-36 sm:max-w-72',
      cell: (row) => (
        <PrefixName
          prefix={row.path}
          href={href('keys', {
            ...buildPathFilterPatch(row.path, { exact: row.end }),
            rule: [props.rule],
            strength: null,
            exempt: null,
            // The server cuts these prefixes by the same delimiter for every profile.
            delimiter: null,
          })}
        />
      ),
    },
    createFigureColumn('keys', t('column.keys'), 'compact', (row) => row.keys),
    {
      id: 'share',
      header: t('column.shareOfPrefix'),
      descFirst: true,
      hide: 'max-sm:hidden',
      value: (row) => row.shareOfPrefix,
      cell: (row) => <ShareCell share={row.shareOfPrefix} barClass="w-16 max-2xl:hidden" />,
    },
    createFigureColumn('bytes', t('column.bytes'), 'bytes', (row) => row.bytes, { hide: 'max-md:hidden' }),
    {
      id: 'example',
      header: t('column.example'),
      hide: 'max-lg:hidden',
      className: 'max-w-64 py-1.5',
      cell: (row) =>
        row.example ? (
          <>
            <KeyName name={row.example.name} max={30} />
            {row.example.suggested ? (
              <span className="flex items-center gap-1 text-muted-foreground text-xs">
                {t('suggested')} <KeyName name={row.example.suggested} max={24} copy />
              </span>
            ) : null}
          </>
        ) : null,
    },
    {
      id: 'team',
      header: t('column.team'),
      hide: 'max-lg:hidden',
      value: (row) => row.owner,
      className: 'max-w-28 truncate',
      getTitle: (row) => row.owner ?? undefined,
      cell: (row) => (row.owner === null ? <span className="text-muted-foreground">—</span> : toVisibleText(row.owner)),
    },
    {
      id: 'actions',
      header: t('column.actions'),
      quiet: true,
      className: 'w-px whitespace-nowrap',
      cell: (row) => (mayExempt ? <ExemptButton path={row.path} end={row.end} onExempt={props.onExempt} /> : null),
    },
  ];
  return (
    <Card>
      <CardHeader title={t('prefixesTitle')} description={t('prefixesIntro')} />
      <DataTable label={t('prefixesTitle')} columns={columns} rows={prefixes} rowId={(row) => row.path} />
      {props.pager}
    </Card>
  );
}
