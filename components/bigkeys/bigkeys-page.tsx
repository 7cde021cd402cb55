'use client';
import { useQueryStates } from 'nuqs';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useHere } from '@/components/layout/navigation/use-here';
import { SelectionBar } from '@/components/plans/selection-bar';
import { SelectionPlace } from '@/components/plans/selection-place';
import { useSelection } from '@/components/plans/use-selection';
import { dropZeroDecimals } from '@/components/reports/drop-zero-decimals';
import { buildFilterChips } from '@/components/reports/filter/filter-chips';
import { useFilter } from '@/components/reports/filter/use-filter';
import { Pager } from '@/components/reports/pager';
import { ReportPage } from '@/components/reports/report-page';
import { BIGKEYS_PARAMS, PAGE_SIZE } from '@/components/reports/report-params';
import { usePages } from '@/components/reports/use-pages';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { BigkeysReport } from '@/lib/model/reports/reports';
import { BigkeyList } from './bigkey-list';

export function BigkeysPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('bigkeys');
  const { filter } = useFilter();
  const [{ sort }, set] = useQueryStates(BIGKEYS_PARAMS);
  const { snapshotId } = useCurrentSnapshot(instanceId);
  const pages = usePages(snapshotId, JSON.stringify([filter, sort]));
  const selection = useSelection(snapshotId);
  return (
    <ReportPage
      instanceId={instanceId}
      name="bigkeys"
      title={t('title')}
      intro={t('intro')}
      typesFixed
      query={{ sort, limit: PAGE_SIZE, cursor: pages.cursor }}
      isEmpty={(report) => report.total === 0 && report.unknown === 0}
      empty={t(buildFilterChips(filter).length > 0 ? 'emptyHint' : 'emptyAll')}
    >
      {({ report, envelope }) => (
        <Card>
          <SelectionPlace
            bar={
              selection.count > 0 ? <SelectionBar instanceId={instanceId} shown={report.rows} {...selection} /> : null
            }
            className="min-h-11 border-b-0"
          >
            <Summary report={report} instanceId={instanceId} />
          </SelectionPlace>
          <BigkeyList
            instanceId={instanceId}
            selection={selection}
            report={report}
            asOf={envelope.asOf}
            total={report.total}
            firstIndex={pages.page * PAGE_SIZE}
            sort={sort}
            onSort={(next) => void set({ sort: next })}
          />
          <Pager
            pages={pages}
            pageSize={PAGE_SIZE}
            shown={report.rows.length}
            total={report.total}
            nextCursor={report.nextCursor}
          />
        </Card>
      )}
    </ReportPage>
  );
}

function Summary({ report, instanceId }: { report: BigkeysReport; instanceId: string }) {
  const t = useTranslations('bigkeys');
  const { instanceHref } = useHere();
  const f = useFormat();
  const { thresholds } = report;
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 pt-3">
      <span className="num font-semibold text-lg">{t('total', { count: report.total })}</span>
      <span className="num text-muted-foreground">
        {t('totalBytes', { bytes: f.bytes(toKnownBytes({ keys: report.total, bytes: report.totalBytes })) })}
      </span>
      {report.unknown > 0 ? (
        <span className="text-muted-foreground text-xs">{t('unknown', { count: report.unknown })}</span>
      ) : null}
      {report.recognised > 0 ? (
        <span className="text-muted-foreground text-xs" title={t('recognisedHint')}>
          {t('recognised', { count: report.recognised })}
        </span>
      ) : null}
      <span className="text-muted-foreground text-xs sm:ml-auto">
        {t.rich('thresholds', {
          string: dropZeroDecimals(f.bytes(thresholds.stringBytes)),
          elements: f.number(thresholds.elements),
          collection: dropZeroDecimals(f.bytes(thresholds.collectionBytes)),
          profile: (words) => (
            <Link className="underline underline-offset-2" href={instanceHref(instanceId, '/policy')}>
              {words}
            </Link>
          ),
        })}
      </span>
    </div>
  );
}
