import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { exportUrl } from '@/components/data/queries/use-report';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import type { ReportQuery } from '@/lib/model/reports/query';

/** Every key under the filter as a file; the browser downloads it, so there is no limit of rows. */
export function ExportMenu({ snapshotId, query }: { snapshotId: string; query: Partial<ReportQuery> }) {
  const t = useTranslations('filters.export');
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button aria-label={t('label')}>
          <Download aria-hidden />
          {t('menu')}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuLabel>{t('hint')}</DropdownMenuLabel>
        {(['csv', 'jsonl', 'parquet'] as const).map((format) => (
          <DropdownMenuItem key={format} asChild>
            <a href={exportUrl(snapshotId, format, query)} download>
              {t(format)}
            </a>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
