'use client';
import { useTranslations } from 'use-intl';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { ColumnChooser } from '@/components/data-table/column-chooser';
import type { TableOrder } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { useSortParam } from '@/components/data-table/use-sort-param';
import { useFilter } from '@/components/reports/filter/use-filter';
import { Pager } from '@/components/reports/pager';
import { ReportPage } from '@/components/reports/report-page';
import { PAGE_SIZE, PATTERNS_PARAMS } from '@/components/reports/report-params';
import { usePages } from '@/components/reports/use-pages';
import { Card } from '@/components/ui/card';
import type { PatternsReport } from '@/lib/model/reports/reports';
import { usePatternColumns } from './use-pattern-columns';

export function PatternsPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('patterns');
  const order = useSortParam(PATTERNS_PARAMS.sort.defaultValue);
  const { reportFilter } = useFilter();
  const { snapshotId } = useCurrentSnapshot(instanceId);
  const pages = usePages(snapshotId, JSON.stringify([reportFilter, order.sort]));
  return (
    <ReportPage
      instanceId={instanceId}
      name="patterns"
      title={t('title')}
      intro={t('intro')}
      query={{ sort: order.sort, limit: PAGE_SIZE, cursor: pages.cursor }}
      isEmpty={(report) => report.patterns.length === 0}
    >
      {({ report, envelope }) => (
        <Patterns
          instanceId={instanceId}
          report={report}
          keysInSnapshot={envelope.keysInSnapshot}
          order={order}
          pages={pages}
        />
      )}
    </ReportPage>
  );
}

function Patterns(props: {
  instanceId: string;
  report: PatternsReport;
  keysInSnapshot: number;
  order: TableOrder;
  pages: ReturnType<typeof usePages>;
}) {
  const t = useTranslations('patterns');
  const { report } = props;
  const columns = usePatternColumns(props.instanceId, props.keysInSnapshot);
  return (
    <Card>
      <div className="num flex items-center gap-x-3 border-b py-1.5 pr-2.5 pl-4">
        <span className="flex-1 font-semibold">{t('count', { count: report.templateCount })}</span>
        <ColumnChooser table="patterns" columns={columns} />
      </div>
      <DataTable
        // A new page of the list starts scrolled to the top.
        key={props.pages.page}
        id="patterns"
        label={t('table')}
        className="max-h-[calc(100dvh-19rem)] min-h-72 overflow-y-auto"
        columns={columns}
        rows={report.patterns}
        rowId={(row) => row.template}
        order={{ ...props.order, byServer: true }}
      />
      <Pager
        pages={props.pages}
        pageSize={PAGE_SIZE}
        shown={report.patterns.length}
        total={report.templateCount}
        nextCursor={report.nextCursor}
        jumps
      />
    </Card>
  );
}
