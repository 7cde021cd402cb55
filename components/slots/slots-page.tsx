'use client';
import { useQueryStates } from 'nuqs';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { useFormat } from '@/components/data/format/use-format';
import { ReportPage } from '@/components/reports/report-page';
import { SLOTS_PARAMS } from '@/components/reports/report-params';
import { Alert } from '@/components/ui/alert';
import { Stat, StatGrid } from '@/components/ui/stat';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { SlotsReport } from '@/lib/model/reports/reports';
import { SlotHeaviest } from './slot-heaviest';
import { SlotMapCard } from './slot-map-card';
import { SlotNodes } from './slot-nodes';
import { SlotTags } from './slot-tags';
import { SlotWhatIf } from './slot-what-if';

export function SlotsPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('slots');
  const [{ mode, masters }, set] = useQueryStates(SLOTS_PARAMS);
  return (
    <ReportPage
      instanceId={instanceId}
      name="slots"
      title={t('title')}
      intro={t('intro')}
      query={{ masters }}
      isEmpty={(report) => report.slots.slot.length === 0}
    >
      {({ report }) => (
        <div className="grid grid-cols-1 items-start gap-3">
          {report.clustered ? null : <Alert tone="info">{t('planning')}</Alert>}
          <EachCard>
            <SlotStats report={report} />
          </EachCard>
          <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[37rem_minmax(0,1fr)]">
            <EachCard>
              <SlotMapCard
                instanceId={instanceId}
                report={report}
                mode={mode}
                onMode={(next) => void set({ mode: next })}
              />
            </EachCard>
            <div className="grid grid-cols-1 gap-3">
              <EachCard>
                <SlotNodes report={report} />
                <SlotWhatIf report={report} masters={masters} onMasters={(next) => void set({ masters: next })} />
              </EachCard>
            </div>
          </div>
          <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-2">
            <EachCard>
              <SlotHeaviest instanceId={instanceId} report={report} />
              <SlotTags instanceId={instanceId} report={report} />
            </EachCard>
          </div>
        </div>
      )}
    </ReportPage>
  );
}

function SlotStats({ report }: { report: SlotsReport }) {
  const t = useTranslations('slots');
  const f = useFormat();
  const { skew } = report;
  const formatOverMean = (value: number | null) =>
    value === null ? undefined : t('ofMean', { times: f.decimal(value, value < 10 ? 1 : 0) });
  const fullest = Math.max(0, ...report.slots.keys);
  const largest = skew.maxBytesOverMean === null ? null : Math.max(0, ...report.slots.bytes);
  return (
    <StatGrid>
      <Stat
        label={t('mean')}
        value={t('keysUnit', { n: skew.meanKeys, count: f.decimal(skew.meanKeys, skew.meanKeys < 100 ? 1 : 0) })}
        hint={f.bytes(toKnownBytes({ keys: skew.meanKeys, bytes: skew.meanBytes }))}
      />
      <Stat
        label={t('maxKeys')}
        value={t('keysUnit', { n: fullest, count: f.number(fullest) })}
        hint={formatOverMean(skew.maxKeysOverMean)}
      />
      <Stat label={t('maxBytes')} value={f.bytes(largest)} hint={formatOverMean(skew.maxBytesOverMean)} />
      <Stat label={t('emptySlots')} value={f.number(skew.emptySlots)} hint={t('ofAll')} />
    </StatGrid>
  );
}
