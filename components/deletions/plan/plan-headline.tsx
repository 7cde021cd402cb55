import type { ComponentProps } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { ValueRange } from '@/components/data/format/value-range';
import { Stat, StatGrid } from '@/components/ui/stat';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { DeletionMode, DeletionOptions } from '@/lib/model/deletions/plan-request';

/** Two numbers in the place of one, in smaller type so that they fit. */
const RangeOf = (props: ComponentProps<typeof ValueRange>) => (
  <span className="whitespace-normal text-base">
    <ValueRange {...props} />
  </span>
);

/** The plan in at most eight figures. */
export function PlanHeadline({ plan }: { plan: DeletionPlan }) {
  const t = useTranslations('deletions.plan');
  const modes = useTranslations('deletions.mode');
  const f = useFormat();
  const expire = plan.task === 'expire';
  // The mode of the most keys; the table shows the others.
  const [main] = [...plan.totals.byMode].sort((a, b) => b.keys - a.keys);
  const { totals, estimate } = plan;
  const describeUndo = ({ mode }: { mode: DeletionMode }) => {
    if (mode !== 'quarantine') return modes(`${mode}.undo`);
    const { afterQuarantine, quarantineHours } = plan.options as DeletionOptions;
    return t('undoFor', {
      time: f.seconds(quarantineHours * 3600),
      way: modes(`${afterQuarantine}.name`),
      undo: modes(`${afterQuarantine}.undo`),
    });
  };
  const basis = estimate.seconds === null ? t('estimateUnknown') : t('estimateBasis', { count: estimate.measuredOn });
  return (
    <StatGrid>
      <Stat
        label={t('keys')}
        value={f.number(totals.keys)}
        hint={totals.instanceKeys ? t('ofInstance', { share: f.shareOf(totals.keys, totals.instanceKeys) }) : undefined}
      />
      {expire ? null : (
        <>
          <Stat label={t('elements')} value={<Value value={totals.elements} as="number" />} />
          <Stat label={t('memory')} value={<Value value={totals.bytes} as="bytes" />} />
          <Stat
            label={t('ways')}
            value={main ? <span className="whitespace-normal text-base">{modes(`${main.mode}.name`)}</span> : '—'}
            hint={main ? describeUndo(main) : undefined}
          />
        </>
      )}
      <Stat label={t('time')} value={<RangeOf range={estimate.seconds} as="seconds" />} hint={basis} />
      <Stat label={t('load')} value={<RangeOf range={estimate.serverMs} as="ms" />} />
      <Stat label={t('replication')} value={<RangeOf range={estimate.replicationBytes} as="bytes" />} />
      {expire ? null : <Stat label={t('archive')} value={<RangeOf range={estimate.archiveBytes} as="bytes" />} />}
    </StatGrid>
  );
}
