import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { TooltipRow } from '@/components/charts/chart-tooltip';
import { SKEW_SCALE, SLOT_COUNT, sequentialScale } from '@/components/charts/scales/slot-scale';
import { SlotLegend } from '@/components/charts/slot-legend';
import { SlotMap } from '@/components/charts/slot-map';
import { useFormat } from '@/components/data/format/use-format';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Segmented } from '@/components/ui/forms/segmented';

/** Three masters, an empty corner, one slot far beyond the others. */
const OWNERS = Int16Array.from({ length: SLOT_COUNT }, (_, slot) => Math.floor((slot * 3) / SLOT_COUNT));
const KEYS = Float64Array.from({ length: SLOT_COUNT }, (_, slot) =>
  slot === 9_000 ? 4_000 : slot < 400 ? 0 : 20 + ((slot * 7_919) % 97),
);
const MEAN = KEYS.reduce((sum, keys) => sum + keys, 0) / SLOT_COUNT;
const TIMES = KEYS.map((keys) => keys / MEAN);
const SCALE = sequentialScale([...KEYS]);

export function SlotSamples() {
  const t = useTranslations('styleguide');
  const f = useFormat();
  const [mode, setMode] = useState<'keys' | 'skew'>('keys');
  const skew = mode === 'skew';
  const scale = skew ? SKEW_SCALE : SCALE;
  const palette = skew ? 'skew' : 'sequential';
  const write = (bound: number | undefined) => (skew ? `×${bound}` : f.number(bound));
  return (
    <Card>
      <CardHeader
        title={t('slots')}
        actions={
          <Segmented
            size="sm"
            label={t('scale')}
            value={mode}
            onValueChange={setMode}
            options={(['keys', 'skew'] as const).map((value) => ({ value, label: t(value) }))}
          />
        }
      />
      <CardBody className="space-y-3">
        <SlotMap
          label={t('slots')}
          values={skew ? TIMES : KEYS}
          scale={scale}
          palette={palette}
          owners={OWNERS}
          maxSize={400}
          onOpen={() => undefined}
          describe={(slot) => `${slot}: ${f.number(KEYS[slot])}`}
          tooltip={(slot) => <TooltipRow label={String(slot)} value={f.number(KEYS[slot])} />}
        />
        <SlotLegend
          palette={palette}
          outlier={scale.outlierFrom !== null}
          labels={Array.from({ length: scale.steps }, (_, step) =>
            step === 0 ? `< ${write(scale.bounds[0])}` : `≥ ${write(scale.bounds[step - 1])}`,
          )}
        />
      </CardBody>
    </Card>
  );
}
