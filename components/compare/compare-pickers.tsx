import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import type { CurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useInstances } from '@/components/data/queries/use-instances';
import { useSnapshots } from '@/components/data/queries/use-snapshots';
import { Card } from '@/components/ui/card';
import { Select } from '@/components/ui/forms/select';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Comparison } from '@/lib/model/comparison/comparison';
import { SINCE_BASELINE, SINCE_PREVIOUS } from '@/lib/model/comparison/comparison-words';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import type { CompareParams } from './use-compare-params';

/** Which two snapshots are compared; the other one may be of another instance. */
export function ComparePickers(props: {
  instanceId: string;
  current: CurrentSnapshot;
  compared: CompareParams;
  found: Comparison | null;
}) {
  const t = useTranslations('compare.pick');
  const f = useFormat();
  const { instanceId, current, found } = props;
  const { params, set } = props.compared;
  const instances = useInstances().data ?? [];
  const ofOther = useSnapshots(params.other);
  const isOther = params.other !== null;
  const others = (isOther ? (ofOther.data ?? []) : current.snapshots).filter(({ state }) => state === 'sealed');
  const describe = (row: SnapshotSummary) =>
    t(row.isPart ? 'part' : row.partial ? 'partial' : row.baseline ? 'isBaseline' : 'whole', {
      time: f.dateTime(row.startedAt),
      keys: f.compact(row.keys),
    });
  const named = [
    {
      value: SINCE_PREVIOUS,
      label:
        found && params.with === SINCE_PREVIOUS
          ? t('previousAt', { time: f.dateTime(found.before.startedAt) })
          : t('previous'),
    },
    { value: SINCE_BASELINE, label: t('baseline') },
  ];
  return (
    <Card className="grid gap-x-6 gap-y-3 px-4 py-3 md:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-1">
        <span className="text-muted-foreground text-xs">{t('now')}</span>
        <Select
          aria-label={t('now')}
          className="w-full"
          value={current.snapshotId ?? undefined}
          onValueChange={(id) => current.select(id)}
          placeholder={t('none')}
          options={current.snapshots
            .filter(({ state }) => state === 'sealed')
            .map((row) => ({ value: row.id, label: describe(row) }))}
        />
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        <span className="text-muted-foreground text-xs">{t('before')}</span>
        <div className="grid gap-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <Select
            aria-label={t('instance')}
            className="w-full"
            value={params.other ?? instanceId}
            onValueChange={(id) => set({ other: id === instanceId ? null : id, with: SINCE_PREVIOUS })}
            options={[
              { value: instanceId, label: t('sameInstance') },
              ...instances
                .filter(({ id }) => id !== instanceId)
                .map(({ id, name }) => ({ value: id, label: toVisibleText(name) })),
            ]}
          />
          <Select
            aria-label={t('before')}
            className="w-full"
            value={isOther && params.with === SINCE_PREVIOUS ? undefined : params.with}
            onValueChange={(id) => set({ with: id })}
            placeholder={t('choose')}
            options={[
              ...(isOther ? [] : named),
              ...others
                .filter(({ id }) => id !== current.snapshotId)
                .map((row) => ({ value: row.id, label: describe(row) })),
            ]}
          />
        </div>
      </div>
    </Card>
  );
}
