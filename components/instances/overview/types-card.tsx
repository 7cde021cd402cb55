'use client';
import { useTranslations } from 'use-intl';
import { StackedBar } from '@/components/charts/stacked-bar';
import { typeColor } from '@/components/charts/type-colors';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Segmented } from '@/components/ui/segmented';
import { Table, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { TypeBadge } from '@/components/ui/type-badge';
import type { OverviewReport } from '@/lib/model/reports/reports';
import { MEASURES, useMeasure } from './use-measure';

export function TypesCard({ report }: { report: OverviewReport }) {
  const t = useTranslations('overview');
  const f = useFormat();
  const { by, setBy } = useMeasure();
  const measure = (row: { keys: number; bytes: number }) => (by === 'keys' ? row.keys : row.bytes);
  const rows = report.types.toSorted((a, b) => measure(b) - measure(a));
  const { none, any, unknown, expired } = report.expiry;
  const parts = [
    { id: 'any', value: any, color: '--chart-3' },
    { id: 'none', value: none, color: '--chart-2' },
    { id: 'expired', value: expired, color: '--chart-4' },
    { id: 'unknown', value: unknown, color: '--chart-8' },
  ] as const;
  const expiry = parts.map((s) => ({ ...s, label: t(`expiry.${s.id}`), valueLabel: f.number(s.value) }));
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
            options={MEASURES.map((m) => ({ value: m, label: t(m === 'keys' ? 'types.byKeys' : 'types.byMemory') }))}
          />
        }
      />
      <div className="px-4 pt-4 pb-2">
        <StackedBar
          segments={rows.map((r) => ({
            id: r.type ?? 'unknown',
            label: r.type ?? t('types.unknown'),
            value: measure(r),
            valueLabel: by === 'keys' ? f.number(r.keys) : f.bytes(r.bytes),
            color: typeColor(r.type),
          }))}
        />
      </div>
      <Table aria-label={t('types.tableLabel')}>
        <THead className="border-b-0">
          <tr>
            <Th>{t('types.type')}</Th>
            <Th right>{t('types.keys')}</Th>
            <Th right>{t('types.memory')}</Th>
            <Th right>{t('types.average')}</Th>
          </tr>
        </THead>
        <TBody>
          {rows.map((r) => (
            <Tr key={r.type ?? ''}>
              <Td>
                <TypeBadge type={r.type} />
              </Td>
              <Td num>
                <Value value={r.keys} as="compact" />
              </Td>
              <Td num>
                <Value value={r.keys > 0 && r.bytesUnknown === r.keys ? null : r.bytes} as="bytes" />
              </Td>
              <Td num>
                <Value value={r.avgBytes} as="bytes" />
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
      <CardBody className="space-y-2 border-t">
        <h3 className="font-semibold text-sm">{t('expiry.title')}</h3>
        <StackedBar segments={expiry} />
        <ul className="grid gap-1">
          {expiry
            .filter((s) => s.value > 0 || s.id === 'none' || s.id === 'any')
            .map((s) => (
              <li key={s.id} className="flex items-center gap-2">
                <span className="size-2 rounded-[2px]" style={{ background: `var(${s.color})` }} aria-hidden />
                <span className="text-muted-foreground">{s.label}</span>
                <span className="num ml-auto">{s.valueLabel}</span>
                <span className="num w-14 text-right text-muted-foreground">{f.shareOf(s.value, report.keys)}</span>
              </li>
            ))}
        </ul>
      </CardBody>
    </Card>
  );
}
