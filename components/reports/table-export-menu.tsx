import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { tableUrl } from '@/components/data/queries/use-report';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import type { ReportQuery } from '@/lib/model/reports/query';
import { REPORT_ROWS } from '@/lib/model/reports/registry';
import type { ReportName } from '@/lib/model/reports/reports';

/** The tables of a report as files, under the filter of the page and in its order. */
export function TableExportMenu(props: { snapshotId: string; name: ReportName; query: Partial<ReportQuery> }) {
  const t = useTranslations('filters');
  const { cursor: _, limit: __, ...query } = props.query;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button aria-label={t('export.tablesLabel')}>
          <Download aria-hidden />
          {t('export.menu')}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuLabel>{t('export.tablesHint')}</DropdownMenuLabel>
        {REPORT_ROWS[props.name].tableNames.flatMap((table) =>
          (['csv', 'jsonl', 'parquet'] as const).map((format) => (
            <DropdownMenuItem key={`${table}-${format}`} asChild>
              <a href={tableUrl(props.snapshotId, props.name, { query, table, format })} download>
                <span className="flex-1">{t(`table.${table}`)}</span>
                <span className="text-muted-foreground">{t(`export.${format}`)}</span>
              </a>
            </DropdownMenuItem>
          )),
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
