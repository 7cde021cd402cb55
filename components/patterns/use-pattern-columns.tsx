import { TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import type { DataColumn } from '@/components/data-table/data-column';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { buildPathFilterPatch } from '@/components/reports/filter/level-filter';
import { TypeMix } from '@/components/reports/type-mix';
import { useReportHref } from '@/components/reports/use-report-href';
import { KeyName } from '@/components/ui/key-name';
import { Link } from '@/components/ui/link';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { PatternRow } from '@/lib/model/reports/reports';

export function usePatternColumns(instanceId: string, keysInSnapshot: number): DataColumn<PatternRow>[] {
  const t = useTranslations('patterns');
  const f = useFormat();
  const href = useReportHref(instanceId);
  return useMemo(
    () => [
      {
        id: 'template',
        header: t('column.template'),
        fixed: true,
        className: 'w-full max-w-0 max-sm:min-w-44',
        cell: (row) => (
          <Link
            href={href('keys', buildPathFilterPatch(row.template, { exact: true }))}
            title={`${t('column.example')}: ${row.example}`}
            className="hover:text-accent hover:underline"
          >
            <KeyName name={row.template} max={90} />
          </Link>
        ),
      },
      createFigureColumn('keys', t('column.keys'), 'number', (row) => row.keys, { sort: 'keys' }),
      {
        id: 'share',
        header: t('column.share'),
        num: true,
        hide: 'max-md:hidden',
        className: 'text-muted-foreground',
        cell: (row) => f.shareOf(row.keys, keysInSnapshot),
      },
      createFigureColumn('bytes', t('column.bytes'), 'bytes', toKnownBytes, { sort: 'bytes' }),
      createFigureColumn('avg', t('column.avg'), 'bytes', (row) => row.avgBytes, { hide: 'max-md:hidden' }),
      { id: 'types', header: t('column.types'), hide: 'max-sm:hidden', cell: (row) => <Types row={row} /> },
      {
        id: 'noExpiry',
        header: t('column.noExpiry'),
        num: true,
        hide: 'max-sm:hidden',
        cell: (row) => f.shareOf(row.noExpiry, row.keys),
      },
      createFigureColumn('ttl', t('column.ttl'), 'seconds', (row) => row.p50TtlSeconds, { hide: 'max-lg:hidden' }),
      {
        id: 'spread',
        header: t('column.spread'),
        num: true,
        hide: 'max-xl:hidden',
        className: 'text-muted-foreground',
        cell: (row) =>
          row.minTtlSeconds === null ? '—' : `${f.seconds(row.minTtlSeconds)} – ${f.seconds(row.maxTtlSeconds)}`,
      },
    ],
    [t, f, href, keysInSnapshot],
  );
}

function Types({ row }: { row: PatternRow }) {
  const t = useTranslations('patterns');
  const kinds = Object.values(row.types).filter((keys) => keys > 0).length;
  return (
    <span className="flex items-center gap-1.5">
      <TypeMix types={row.types} className="h-2 w-14" />
      {kinds > 1 ? (
        <span title={t('mixed', { count: kinds })}>
          <TriangleAlert className="size-3.5 text-warning" aria-hidden />
          <span className="sr-only">{t('mixed', { count: kinds })}</span>
        </span>
      ) : null}
    </span>
  );
}
