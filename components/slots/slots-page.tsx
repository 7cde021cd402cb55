'use client';
import { useQueryStates } from 'nuqs';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { ReportPage } from '@/components/reports/report-page';
import { SLOTS_PARAMS } from '@/components/reports/report-params';
import { Alert } from '@/components/ui/alert';
import { SlotHeaviest } from './slot-heaviest';
import { SlotMapCard } from './slot-map-card';
import { SlotNodes } from './slot-nodes';
import { SlotStats } from './slot-stats';
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
          <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,auto)_minmax(20rem,1fr)]">
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
