import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { exportUrl, tableUrl } from '@/components/data/queries/use-report';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import type { ReportQuery } from '@/lib/model/reports/query';
import { REPORT_ROWS } from '@/lib/model/reports/registry';
import type { ReportName } from '@/lib/model/reports/reports';
import { FileMenu, type OfferedFile } from './file-menu';

interface KeySelection {
  snapshotId: string;
  query: Partial<ReportQuery>;
}

/** All keys under the filter as a file, and the other files of the page. */
export function ExportMenu({ snapshotId, query, more }: KeySelection & { more: readonly OfferedFile[] }) {
  const t = useTranslations('filters');
  const buildHref = (format: FileFormat) => exportUrl(snapshotId, format, query);
  if (more.length === 0)
    return <FileMenu label={t('export.label')} hint={t('export.hint')} files={[{ name: '', href: buildHref }]} />;
  const files = [{ name: t('table.keys'), href: buildHref }, ...more];
  return <FileMenu label={t('export.label')} hint={t('export.tablesHint')} files={files} />;
}

/** A report that lists keys offers the keys, and the list itself if it contains more facts about them. */
export function ListExportMenu({ name, ...keys }: KeySelection & { name: ReportName }) {
  const t = useTranslations('filters.export');
  const list = {
    name: t('list'),
    href: (format: FileFormat) => tableUrl(keys.snapshotId, name, { query: keys.query, table: 'keys', format }),
  };
  return <ExportMenu {...keys} more={REPORT_ROWS[name].listSaysMore ? [list] : []} />;
}

/** The tables of a report as files, under the filter and in the order of the page; `children` are more entries. */
export function TableExportMenu({
  name,
  children,
  ...keys
}: KeySelection & { name: ReportName; children?: ReactNode }) {
  const t = useTranslations('filters');
  const { cursor: _, limit: __, ...query } = keys.query;
  const files = REPORT_ROWS[name].tableNames.map((table) => ({
    name: t(`table.${table}`),
    href: (format: FileFormat) => tableUrl(keys.snapshotId, name, { query, table, format }),
  }));
  return (
    <FileMenu label={t('export.tablesLabel')} hint={t('export.tablesHint')} files={files}>
      {children}
    </FileMenu>
  );
}
