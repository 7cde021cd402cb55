'use client';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { ColumnChooser } from '@/components/data-table/column-chooser';
import type { TableOrder } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { useSortParam } from '@/components/data-table/use-sort-param';
import { ReportPage } from '@/components/reports/report-page';
import { PAGE_SIZE, PATTERNS_PARAMS } from '@/components/reports/report-params';
import { Card } from '@/components/ui/card';
import type { PatternsReport } from '@/lib/model/reports/reports';
import { usePatternColumns } from './use-pattern-columns';

export function PatternsPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('patterns');
  const order = useSortParam(PATTERNS_PARAMS.sort.defaultValue);
  return (
    <ReportPage
      instanceId={instanceId}
      name="patterns"
      title={t('title')}
      intro={t('intro')}
      query={{ sort: order.sort, limit: PAGE_SIZE }}
      isEmpty={(report) => report.patterns.length === 0}
    >
      {({ report, envelope }) => (
        <Patterns instanceId={instanceId} report={report} keysInSnapshot={envelope.keysInSnapshot} order={order} />
      )}
    </ReportPage>
  );
}

function Patterns(props: { instanceId: string; report: PatternsReport; keysInSnapshot: number; order: TableOrder }) {
  const t = useTranslations('patterns');
  const f = useFormat();
  const { report } = props;
  const columns = usePatternColumns(props.instanceId, props.keysInSnapshot);
  return (
    <Card>
      <div className="num flex items-center gap-x-3 border-b py-1.5 pr-2.5 pl-4">
        <span className="font-semibold">{t('count', { count: report.templateCount })}</span>
        <span className="flex-1 text-muted-foreground">
          {report.templateCount > report.patterns.length
            ? t('shown', { shown: f.number(report.patterns.length) })
            : null}
        </span>
        <ColumnChooser table="patterns" columns={columns} />
      </div>
      <DataTable
        id="patterns"
        label={t('table')}
        className="max-h-[calc(100dvh-16rem)] min-h-72 overflow-y-auto"
        columns={columns}
        rows={report.patterns}
        rowId={(row) => row.template}
        order={{ ...props.order, byServer: true }}
      />
    </Card>
  );
}
