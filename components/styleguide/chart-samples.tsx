import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ChartLegend } from '@/components/charts/chart-legend';
import { TooltipRow } from '@/components/charts/chart-tooltip';
import { Histogram } from '@/components/charts/histogram';
import { typeColor } from '@/components/charts/scales/type-colors';
import { Timeline } from '@/components/charts/timeline';
import { Treemap } from '@/components/charts/treemap';
import type { TreemapItem } from '@/components/charts/treemap-item';
import { useFormat } from '@/components/data/format/use-format';
import { shortAxis } from '@/components/reports/short-axis';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Segmented } from '@/components/ui/forms/segmented';
import { Sample } from './sample';

const TYPES = ['hash', 'string', 'zset', 'list', 'set', 'stream'];
const LEAVES = [480, 260, 140, 70, 30, 20];
const ITEMS: readonly TreemapItem[] = TYPES.map((type, at) => ({
  id: type,
  label: `${type}:`,
  value: LEAVES[at]!,
  valueLabel: `${LEAVES[at]} · ${LEAVES[at]! / 10} %`,
  valueShort: String(LEAVES[at]),
  color: typeColor(type),
  opens: true,
  ...(at === 0 && {
    parts: [
      { id: 'hash:cart:', label: 'cart', value: 300 },
      { id: 'hash:user:', label: 'user', value: 120 },
    ],
  }),
}));
const BARS = [3, 18, 240, 1_900, 12_400, 8_800, 700, 0, 21].map((value, at) => ({
  id: String(at),
  label: `${2 ** at} KiB`,
  value,
}));
const FROM = Date.UTC(2026, 0, 5);
const STEP_MS = 1_800_000;
/** A quiet day with one storm. */
const STORM = 31;
const POINTS = Array.from({ length: 48 }, (_, at) => ({
  at: FROM + at * STEP_MS,
  value: at === STORM ? 90_000 : 400 + ((at * 97) % 300),
}));

/** Drawings of reports, with data of a keyspace that is not there. */
export function ChartSamples() {
  const t = useTranslations('styleguide');
  const f = useFormat();
  const [active, setActive] = useState<string | null>(null);
  const [scale, setScale] = useState<'linear' | 'log'>('log');
  return (
    <Card>
      <CardHeader
        title={t('charts')}
        actions={
          <Segmented
            size="sm"
            label={t('scale')}
            value={scale}
            onValueChange={setScale}
            options={(['linear', 'log'] as const).map((value) => ({ value, label: t(value) }))}
          />
        }
      />
      <CardBody className="space-y-4">
        <Sample of="Treemap">
          <Treemap
            items={ITEMS}
            className="h-64"
            label={t('treemap')}
            activeId={active}
            onActive={setActive}
            onOpen={() => undefined}
            describe={({ label, valueLabel }) => `${label} ${valueLabel}`}
            tooltip={({ label, value }, part) => (
              <>
                <p className="mb-1 font-medium font-mono">{part ? `${label}${part.label}` : label}</p>
                <TooltipRow label={t('keys')} value={f.number(part ? part.value : value)} />
              </>
            )}
          />
          <ChartLegend items={TYPES.map((type) => ({ id: type, label: type, color: typeColor(type) }))} />
        </Sample>
        <Sample of="Histogram">
          <Histogram
            bars={BARS}
            label={t('histogram')}
            height={180}
            unit="count"
            formatAxis={(value) => shortAxis(f.compact(value))}
            tooltip={(at) => <TooltipRow label={BARS[at]?.label ?? ''} value={f.number(BARS[at]?.value)} />}
          />
        </Sample>
        <Sample of="Timeline">
          <Timeline
            points={POINTS}
            marks={[{ at: FROM + STORM * STEP_MS, label: 'mall:cart:' }]}
            label={t('timeline')}
            height={180}
            unit="count"
            log={scale === 'log'}
            formatTime={f.time}
            formatAxis={(value) => shortAxis(f.compact(value))}
            tooltip={({ at, value }) => <TooltipRow label={f.dateTime(at)} value={f.number(value)} />}
          />
        </Sample>
      </CardBody>
    </Card>
  );
}
