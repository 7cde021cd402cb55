import { useTranslations } from 'use-intl';
import { getTypeToken } from '@/components/charts/scales/type-colors';
import { StackedBar } from '@/components/charts/stacked-bar';
import { useFormat } from '@/components/data/format/use-format';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { OVERVIEW_MEASURES } from '@/components/reports/report-params';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Segmented } from '@/components/ui/forms/segmented';
import { TypeBadge } from '@/components/ui/type-badge';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { OverviewReport } from '@/lib/model/reports/reports';
import { useMeasure } from './use-measure';

type TypeRow = OverviewReport['types'][number];

export function TypesCard({ report }: { report: OverviewReport }) {
  const t = useTranslations('overview');
  const f = useFormat();
  const { by, setBy } = useMeasure();
  const measure = (row: { keys: number; bytes: number }) => (by === 'keys' ? row.keys : row.bytes);
  const rows = report.types.toSorted((a, b) => measure(b) - measure(a));
  const columns: DataColumn<TypeRow>[] = [
    {
      id: 'type',
      header: t('types.type'),
      value: (row) => row.type,
      cell: (row) => <TypeBadge type={row.type} />,
    },
    createFigureColumn('keys', t('types.keys'), 'compact', (row) => row.keys),
    createFigureColumn('memory', t('types.memory'), 'bytes', toKnownBytes),
    createFigureColumn('average', t('types.average'), 'bytes', (row) => row.avgBytes),
  ];
  const { none, any, unknown, expired } = report.expiry;
  const parts = [
    { id: 'any', value: any, color: '--chart-3' },
    { id: 'expired', value: expired, color: '--chart-4' },
    { id: 'none', value: none, color: '--chart-2' },
    { id: 'unknown', value: unknown, color: '--chart-8' },
  ] as const;
  const expiry = parts.map((part) => ({ ...part, label: t(`expiry.${part.id}`), valueLabel: f.number(part.value) }));
  // Expired keys are among those with an expiry, so they are subtracted; otherwise they would be drawn twice.
  const drawn = expiry.map((part) => (part.id === 'any' ? { ...part, value: any - expired } : part));
  return (
    <Card>
      <CardHeader
        title={t('types.title')}
        actions={
          <Segmented
            size="sm"
            label={t('types.description')}
            value={by}
            onValueChange={setBy}
            options={OVERVIEW_MEASURES.map((value) => ({
              value,
              label: t(value === 'keys' ? 'types.byKeys' : 'types.byMemory'),
            }))}
          />
        }
      />
      <div className="px-4 pt-4 pb-2">
        <StackedBar
          segments={rows.map((row) => ({
            id: row.type ?? 'unknown',
            label: row.type ?? t('types.unknown'),
            value: measure(row),
            valueLabel: by === 'keys' ? f.number(row.keys) : f.bytes(row.bytes),
            color: getTypeToken(row.type),
          }))}
        />
      </div>
      <DataTable label={t('types.tableLabel')} columns={columns} rows={rows} rowId={(row) => row.type ?? ''} />
      <CardBody className="space-y-2 border-t">
        <h3 className="font-semibold text-sm">{t('expiry.title')}</h3>
        <StackedBar segments={drawn} />
        <ul className="grid gap-1">
          {expiry
            .filter(({ id, value }) => value > 0 || id === 'none' || id === 'any')
            .map(({ id, label, value, valueLabel, color }) => (
              <li key={id} className="flex items-center gap-2">
                <span className="size-2 rounded-[2px]" style={{ background: `var(${color})` }} aria-hidden />
                <span className="text-muted-foreground">{label}</span>
                <span className="num ml-auto">{valueLabel}</span>
                <span className="num w-14 text-right text-muted-foreground">{f.shareOf(value, report.keys)}</span>
              </li>
            ))}
        </ul>
      </CardBody>
    </Card>
  );
}
