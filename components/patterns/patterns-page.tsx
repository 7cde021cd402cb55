'use client';
import { parseAsString, useQueryState } from 'nuqs';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { ReportPage } from '@/components/reports/report-page';
import { Card } from '@/components/ui/card';
import { PatternTable } from './pattern-table';

const LIMIT = 200;

export function PatternsPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('patterns');
  const f = useFormat();
  const [sort, setSort] = useQueryState('sort', parseAsString.withDefault('-keys'));
  return (
    <ReportPage
      instanceId={instanceId}
      name="patterns"
      title={t('title')}
      intro={t('intro')}
      query={{ sort, limit: LIMIT }}
      isEmpty={(report) => report.patterns.length === 0}
    >
      {({ report, envelope }) => (
        <Card>
          <div className="num flex flex-wrap items-baseline gap-x-3 border-b px-4 py-2.5">
            <span className="font-semibold">{t('count', { count: report.templateCount })}</span>
            {report.templateCount > report.patterns.length ? (
              <span className="text-muted-foreground">{t('shown', { shown: f.number(report.patterns.length) })}</span>
            ) : null}
          </div>
          <PatternTable
            instanceId={instanceId}
            patterns={report.patterns}
            keysInSnapshot={envelope.keysInSnapshot}
            sort={sort}
            onSort={(next) => void setSort(next)}
          />
        </Card>
      )}
    </ReportPage>
  );
}
