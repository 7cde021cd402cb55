import type { ComponentProps } from 'react';
import { useTranslations } from 'use-intl';
import { BarList } from '@/components/charts/bar-list';
import { ShareBar } from '@/components/charts/share-bar';
import { Sparkline } from '@/components/charts/sparkline';
import { StackedBar } from '@/components/charts/stacked-bar';
import { useFormat } from '@/components/data/format/use-format';
import { Value, type ValueKind } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { figureColumn } from '@/components/data-table/figure-column';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ProgressBar } from '@/components/ui/progress';
import { Stat, StatGrid } from '@/components/ui/stat';
import { everyOne, Sample } from './sample';

interface Row {
  name: string;
  keys: number;
  bytes: number | null;
}
const ROWS: readonly Row[] = [
  { name: 'user:', keys: 1_234_567, bytes: 9_876_543_210 },
  { name: 'cart:', keys: 0, bytes: 0 },
  { name: 'job:', keys: 12, bytes: null },
];
const PARTS = [
  { id: 'a', label: 'hash', value: 6, valueLabel: '60 %', color: '--chart-1' },
  { id: 'b', label: 'string', value: 3, valueLabel: '30 %', color: '--chart-2' },
  { id: 'c', label: 'zset', value: 1, valueLabel: '10 %', color: '--chart-3' },
];

const KINDS = everyOne<ValueKind>({
  number: true,
  compact: true,
  bytes: true,
  ms: true,
  seconds: true,
  share: true,
  rate: true,
  dateTime: true,
});
const TONES = everyOne<NonNullable<ComponentProps<typeof ProgressBar>['tone']>>({
  accent: true,
  success: true,
  warning: true,
  danger: true,
  muted: true,
});
/** Of each kind something that is neither nothing nor too much. */
const example = (kind: ValueKind) => (kind === 'share' ? 0.42 : kind === 'dateTime' ? Date.UTC(2026, 0, 5) : 98_765);

/** Numbers as they are written everywhere: known, nothing, and unknown, which is never nothing. */
export function FigureSamples({ waiting }: { waiting: boolean }) {
  const t = useTranslations('styleguide');
  const f = useFormat();
  const columns: DataColumn<Row>[] = [
    { id: 'name', header: t('field'), value: (row) => row.name, className: 'w-full', cell: (row) => row.name },
    figureColumn('keys', t('known'), 'number', (row) => row.keys),
    figureColumn('bytes', t('unknown'), 'bytes', (row) => row.bytes),
  ];
  return (
    <Card>
      <CardHeader title={t('figures')} />
      <CardBody className="space-y-4">
        <StatGrid>
          <Stat label={t('known')} value={<Value value={1_234_567} as="compact" />} share={0.6} hint={f.share(0.6)} />
          <Stat label={t('nothing')} value={<Value value={0} as="number" />} share={0} />
          <Stat label={t('unknown')} value={<Value value={null} as="number" />} share={null} />
          <Stat label={t('known')} value={<Value value={9_876_543_210} as="bytes" />} share={0.9} shareTone="danger" />
        </StatGrid>
        <StatGrid className="md:grid-cols-2">
          <Stat label={t('known')} value={<Value value={98} as="number" />} share={0.75} shareTone="warning" />
          <Stat label={t('known')} value={<Value value={98} as="number" />} hint={t('hint')} />
        </StatGrid>
        <div className="grid gap-3 sm:grid-cols-2">
          {TONES.map((tone, at) => (
            <ProgressBar key={tone} label={tone} value={(at + 1) / TONES.length} tone={tone} />
          ))}
          {waiting ? <ProgressBar label={t('unknown')} value={null} /> : null}
        </div>
        <Sample of="Value">
          <ul className="flex flex-wrap gap-x-6 gap-y-1">
            {KINDS.map((kind) => (
              <li key={kind} className="num">
                <Value value={example(kind)} as={kind} />
              </li>
            ))}
          </ul>
        </Sample>
        <StackedBar segments={PARTS} />
        <StackedBar segments={[]} />
        <Sparkline label={t('known')} values={[3, 5, 4, 8, 7, 9, 12]} />
        <Sparkline label={t('unknown')} values={[null, 5]} />
        <Sample of="ShareBar">
          {[0, 0.001, 0.4, 1].map((share) => (
            <ShareBar key={share} share={share} />
          ))}
        </Sample>
        <BarList label={t('figures')} rows={PARTS} />
      </CardBody>
      <DataTable label={t('figures')} rows={ROWS} rowId={(row) => row.name} columns={columns} />
    </Card>
  );
}
