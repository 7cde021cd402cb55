import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { TooltipRow } from '@/components/charts/chart-tooltip';
import {
  buildSequentialScale,
  SKEW_SCALE,
  SLOT_COUNT,
  type SlotScale,
  toDenseSlots,
} from '@/components/charts/scales/slot-scale';
import { SlotLegend, SlotMap } from '@/components/charts/slot-map';
import { useFormat } from '@/components/data/format/use-format';
import { useChartPicture } from '@/components/reports/chart-picture';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Segmented } from '@/components/ui/forms/segmented';
import { useGo } from '@/components/ui/underway/use-go';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { SlotsReport } from '@/lib/model/reports/reports';

/** `skew`: the number of keys as a multiple of the mean of all slots. */
type Mode = 'keys' | 'bytes' | 'skew';
const MODE_LABELS = { keys: 'modeKeys', bytes: 'modeBytes', skew: 'modeSkew' } as const;

export function SlotMapCard(props: {
  instanceId: string;
  report: SlotsReport;
  mode: Mode;
  onMode: (mode: Mode) => void;
}) {
  const t = useTranslations('slots');
  const f = useFormat();
  const go = useGo();
  const href = useReportHref(props.instanceId);
  const { report, mode } = props;
  const picture = useChartPicture({ title: t('mapTitle') });
  const dense = useMemo(
    () => ({
      keys: toDenseSlots(report.slots.slot, report.slots.keys),
      bytes: toDenseSlots(report.slots.slot, report.slots.bytes),
    }),
    [report.slots],
  );
  const owners = useMemo(() => findSlotOwners(report.clustered ? report.nodes : []), [report.clustered, report.nodes]);
  const times = useMemo(
    () => dense.keys.map((keys) => (report.skew.meanKeys > 0 ? keys / report.skew.meanKeys : 0)),
    [dense, report.skew.meanKeys],
  );
  const scale = useMemo(
    (): SlotScale => (mode === 'skew' ? SKEW_SCALE : buildSequentialScale(report.slots[mode])),
    [mode, report.slots],
  );
  const getBytes = (slot: number) => toKnownBytes({ keys: dense.keys[slot] ?? 0, bytes: dense.bytes[slot] ?? 0 });
  const format = {
    keys: f.compact,
    bytes: f.bytes,
    skew: (times: number) => t('timesValue', { value: String(times) }),
  }[mode];
  const getAddress = (slot: number) => report.nodes.find(({ node }) => node === owners[slot])?.address ?? t('nobody');
  const formatTimes = (slot: number) => f.decimal(times[slot] ?? 0, 2);
  const formatStep = (step: number) => {
    if (step === 0) return mode === 'skew' ? `< ${format(scale.bounds[0] ?? 0)}` : t('empty');
    const from = scale.bounds[step - 1] ?? 0;
    if (step === scale.steps - 1) return `≥ ${format(from)}`;
    const to = scale.bounds[step] ?? 0;
    if (mode !== 'keys') return `${format(from)}–${format(to)}`;
    // Keys are whole numbers: with 1–2, 3–5 it is clear which step 3 belongs to.
    return to - 1 <= from ? format(from) : `${format(from)}–${format(to - 1)}`;
  };

  return (
    <Card>
      <CardHeader
        title={t('mapTitle')}
        description={t('mapHint')}
        actions={
          <>
            <Segmented
              size="sm"
              label={t('mode')}
              value={mode}
              onValueChange={props.onMode}
              options={(['keys', 'bytes', 'skew'] as const).map((value) => ({ value, label: t(MODE_LABELS[value]) }))}
            />
            {picture.menu}
          </>
        }
      />
      <CardBody className="grid grid-cols-1 gap-3">
        <div ref={picture.place}>
          <SlotMap
            label={t('map', { mode: t(MODE_LABELS[mode]) })}
            values={mode === 'skew' ? times : dense[mode]}
            scale={scale}
            palette={mode === 'skew' ? 'skew' : 'sequential'}
            owners={owners}
            maxSize={560}
            onOpen={(slot) => go(href('keys', { slotMin: slot, slotMax: slot }))}
            describe={(slot) =>
              t('describe', {
                slot,
                node: getAddress(slot),
                keys: dense.keys[slot] ?? 0,
                bytes: f.bytes(getBytes(slot)),
                times: formatTimes(slot),
              })
            }
            tooltip={(slot) => (
              <>
                <p className="num mb-1 font-medium">{t('slot', { slot })}</p>
                {report.clustered ? <TooltipRow label={t('node')} value={getAddress(slot)} /> : null}
                <TooltipRow label={t('modeKeys')} value={f.number(dense.keys[slot])} />
                <TooltipRow label={t('modeBytes')} value={f.bytes(getBytes(slot))} />
                <TooltipRow label={t('times')} value={t('timesValue', { value: formatTimes(slot) })} />
              </>
            )}
          />
        </div>
        <SlotLegend
          palette={mode === 'skew' ? 'skew' : 'sequential'}
          outlier={scale.outlierFrom !== null}
          labels={Array.from({ length: scale.steps }, (_, step) => formatStep(step))}
        />
      </CardBody>
    </Card>
  );
}

/**
 * Node index per slot; −1 if no node reports the slot. For a shard that was read from a replica only the replica is
 * listed. If both are listed, the master counts; of two masters (during a failover) the first one counts, as in the
 * report.
 */
export function findSlotOwners(nodes: SlotsReport['nodes']): Int16Array {
  const owners = new Int16Array(SLOT_COUNT).fill(-1);
  const isReplica = ({ role }: (typeof nodes)[number]) => role === 'replica';
  const byRank = [...nodes.filter((node) => !isReplica(node)), ...nodes.filter(isReplica)];
  for (const node of byRank.reverse()) for (const [from, to] of node.ranges) owners.fill(node.node, from, to + 1);
  return owners;
}
