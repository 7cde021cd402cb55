import { useTranslations } from 'use-intl';
import { exportUrl, tableUrl } from '@/components/data/queries/use-report';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName } from '@/lib/model/reports/reports';
import { FileMenu } from './file-menu';

/** Every key under the filter as a file; and where a list says more of its keys (`list`), the list itself. */
export function ExportMenu(props: { snapshotId: string; query: Partial<ReportQuery>; list?: ReportName }) {
  const t = useTranslations('filters.export');
  const { snapshotId, query, list } = props;
  return (
    <FileMenu
      label={t('label')}
      groups={[
        { hint: t('hint'), files: [{ name: '', href: (format) => exportUrl(snapshotId, format, query) }] },
        ...(list === undefined
          ? []
          : [
              {
                hint: t('listHint'),
                files: [
                  {
                    name: '',
                    href: (format: FileFormat) =>
                      tableUrl(snapshotId, list, { query, table: 'keys', format }),
                  },
                ],
              },
            ]),
      ]}
    />
  );
}
