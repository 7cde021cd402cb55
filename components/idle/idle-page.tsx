'use client';
import { ClockAlert } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { ReportPage } from '@/components/reports/report-page';
import { IDLE_PARAMS } from '@/components/reports/report-params';
import { Alert } from '@/components/ui/alert';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { EmptyState } from '@/components/ui/empty-state';
import { IdleByPrefix } from './idle-by-prefix';
import { IdleHistogram } from './idle-histogram';

export function IdlePage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('idle');
  const [{ by, days }, set] = useQueryStates(IDLE_PARAMS);
  return (
    <ReportPage
      instanceId={instanceId}
      name="idle"
      title={t('title')}
      intro={t('intro')}
      query={{ days }}
      // With no keys at all, no permission can be missing either, so the page is simply empty.
      isEmpty={(report) => report.unknown.keys === 0 && report.buckets.every((bucket) => bucket.keys === 0)}
    >
      {({ report }) =>
        report.kind === 'none' ? (
          <Card>
            <EmptyState icon={ClockAlert} title={t('noneTitle')}>
              {t('none')}
            </EmptyState>
          </Card>
        ) : (
          <div className={cn('grid gap-3 max-xl:items-start', report.kind === 'idle' && 'xl:grid-cols-2')}>
            {report.kind === 'freq' ? <Alert tone="info">{t('freqIntro')}</Alert> : null}
            <EachCard>
              <IdleHistogram instanceId={instanceId} report={report} by={by} onBy={(next) => void set({ by: next })} />
              {/* Access counters contain no times, so there is nothing to sum by prefix. */}
              {report.kind === 'idle' ? (
                <IdleByPrefix instanceId={instanceId} report={report} onDays={(next) => void set({ days: next })} />
              ) : null}
            </EachCard>
          </div>
        )
      }
    </ReportPage>
  );
}
