import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { useFormat } from '@/components/data/format/use-format';
import { useReport } from '@/components/data/queries/use-report';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { useFilter } from '@/components/reports/filter/use-filter';
import { toSavingsQuery } from '@/components/reports/report-params';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { TypeBadge } from '@/components/ui/type-badge';
import type { SettingSaving } from '@/lib/model/reports/setting-savings';

/**
 * Shows what other limits of compact encodings would save. It is computed from rows and may take seconds, so the rest
 * of the page does not wait for it, and this card says what it waits for.
 */
export function Savings({ instanceId, snapshotId }: { instanceId: string; snapshotId: string }) {
  const t = useTranslations('types.savings');
  const f = useFormat();
  const { reportFilter } = useFilter();
  const href = useReportHref(instanceId);
  const { data, error, refetch } = useReport(snapshotId, 'types', toSavingsQuery(reportFilter));
  const found = data?.report.savings;
  const columns: DataColumn<SettingSaving>[] = [
    {
      id: 'setting',
      header: t('setting'),
      className: 'w-full',
      cell: (row) => (
        <span className="flex flex-wrap items-center gap-x-2.5">
          <TypeBadge type={row.type} />
          <Link href={href('keys', row.filter)} title={t('listKeys')} className="hover:text-accent hover:underline">
            <code className="whitespace-nowrap text-xs">
              {row.setting} {row.limit}
            </code>
          </Link>
          {row.ifIntegers ? <span className="text-muted-foreground text-xs">{t('ifIntegers')}</span> : null}
        </span>
      ),
    },
    createFigureColumn('keys', t('keys'), 'number', (row) => row.keys),
    createFigureColumn('bytes', t('bytes'), 'bytes', (row) => row.bytes),
    createFigureColumn('saved', t('saved'), 'bytes', (row) => row.savedBytes),
  ];
  return (
    <Card>
      <CardHeader title={t('title')} description={found?.notEstimatedFor === undefined ? t('hint') : undefined} />
      {error && !found ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !found ? (
        <CardBody className="text-muted-foreground text-sm" role="status" aria-busy="true">
          {t('waiting')}
        </CardBody>
      ) : (
        <>
          {found.savings.length > 0 ? (
            <DataTable
              label={t('title')}
              columns={columns}
              rows={found.savings}
              rowId={(row) => `${row.setting} ${row.limit}`}
            />
          ) : null}
          <CardBody className="text-muted-foreground text-xs">
            {found.notEstimatedFor !== undefined ? (
              <p>{t('notEstimated', { server: found.notEstimatedFor })}</p>
            ) : found.savings.length === 0 ? (
              <p>{t(found.unknown < found.keys ? 'none' : 'noneKnown')}</p>
            ) : null}
            {found.unknown > 0 ? <p>{t('unknown', { count: f.number(found.unknown), n: found.unknown })}</p> : null}
            {found.notEstimatedFor === undefined ? <p>{t('cost')}</p> : null}
          </CardBody>
        </>
      )}
    </Card>
  );
}
