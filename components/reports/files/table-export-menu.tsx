import { useTranslations } from 'use-intl';
import { tableUrl } from '@/components/data/queries/use-report';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import type { ReportQuery } from '@/lib/model/reports/query';
import { REPORT_ROWS } from '@/lib/model/reports/registry';
import type { ReportName } from '@/lib/model/reports/reports';
import { FileMenu } from './file-menu';

/** The tables of a report as files, under the filter and in the order of the page. */
export function TableExportMenu(props: { snapshotId: string; name: ReportName; query: Partial<ReportQuery> }) {
  const t = useTranslations('filters');
  const { cursor: _, limit: __, ...query } = props.query;
  const files = REPORT_ROWS[props.name].tableNames.map((table) => ({
    name: t(`table.${table}`),
    href: (format: FileFormat) => tableUrl(props.snapshotId, props.name, { query, table, format }),
  }));
  return <FileMenu label={t('export.tablesLabel')} hint={t('export.tablesHint')} files={files} />;
}
