import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Stat, StatGrid } from '@/components/ui/stat';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { DeletionMode, DeletionOptions } from '@/lib/model/deletions/plan-request';

/** What would be done, in eight numbers. */
export function PlanHeadline({ plan }: { plan: DeletionPlan }) {
  const t = useTranslations('deletions.plan');
  const modes = useTranslations('deletions.mode');
  const f = useFormat();
  const expire = plan.task === 'expire';
  // Most keys go one way; the table tells the others.
  const [main] = [...plan.totals.byMode].sort((a, b) => b.keys - a.keys);
  const { totals, estimate } = plan;
  const wayBack = ({ mode }: { mode: DeletionMode }) => {
    if (mode !== 'quarantine') return modes(`${mode}.undo`);
    const { afterQuarantine, quarantineHours } = plan.options as DeletionOptions;
    return t('undoFor', {
      time: f.seconds(quarantineHours * 3600),
      way: modes(`${afterQuarantine}.name`),
      undo: modes(`${afterQuarantine}.undo`),
    });
  };
  const unknown = estimate.seconds === null ? t('estimateUnknown') : undefined;
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
            hint={main ? wayBack(main) : undefined}
          />
        </>
      )}
      <Stat label={t('time')} value={<Value value={estimate.seconds} as="seconds" />} hint={unknown} />
      <Stat label={t('load')} value={<Value value={estimate.serverMs} as="ms" />} />
      <Stat label={t('replication')} value={<Value value={estimate.replicationBytes} as="bytes" />} />
      {expire ? null : <Stat label={t('archive')} value={<Value value={estimate.archiveBytes} as="bytes" />} />}
    </StatGrid>
  );
}
