'use client';
import { useQueryState } from 'nuqs';
import { type ReactNode, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useInstance } from '@/components/data/queries/use-instances';
import { ColumnChooser } from '@/components/data-table/column-chooser';
import type { DataColumn } from '@/components/data-table/data-column';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { FilterPlanButtons } from '@/components/plans/filter-plan-buttons';
import { SelectionBar } from '@/components/plans/selection-bar';
import { SelectionPlace } from '@/components/plans/selection-place';
import { useSelection } from '@/components/plans/use-selection';
import { useFilter } from '@/components/reports/filter/use-filter';
import { LengthCell, NameCell, TtlCell, TypeCell } from '@/components/reports/key-cells';
import { KeyTable } from '@/components/reports/key-table';
import { Pager } from '@/components/reports/pager';
import { ReportPage } from '@/components/reports/report-page';
import { KEYS_PARAMS, PAGE_SIZE } from '@/components/reports/report-params';
import { usePages } from '@/components/reports/use-pages';
import { Card } from '@/components/ui/card';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';

export function KeysPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('keys');
  const f = useFormat();
  const { filter, delimiterField } = useFilter();
  const [sort, setSort] = useQueryState('sort', KEYS_PARAMS.sort);
  const { snapshotId } = useCurrentSnapshot(instanceId);
  const pages = usePages(snapshotId, JSON.stringify([filter, sort]));
  const selection = useSelection(snapshotId);
  const query = { sort, limit: PAGE_SIZE, cursor: pages.cursor };
  return (
    <ReportPage
      instanceId={instanceId}
      name="keys"
      title={t('title')}
      intro={t('intro')}
      query={query}
      actions={(snapshotId, report) => (
        <FilterPlanButtons
          instanceId={instanceId}
          selection={{ snapshotId, filter, ...delimiterField }}
          count={report?.total ?? null}
        />
      )}
      isEmpty={(report) => report.total === 0}
    >
      {({ report, envelope }) => (
        <Card>
          <List
            instanceId={instanceId}
            selection={selection}
            summary={
              <>
                <span className="font-semibold">{t('total', { count: report.total })}</span>
                <span className="text-muted-foreground">
                  {t('totalBytes', { bytes: f.bytes(toKnownBytes({ keys: report.total, bytes: report.totalBytes })) })}
                </span>
              </>
            }
            rows={report.rows}
            asOf={envelope.asOf}
            total={report.total}
            firstIndex={pages.page * PAGE_SIZE}
            sort={report.sort ?? sort}
            onSort={(next) => void setSort(next)}
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

function List(props: {
  instanceId: string;
  selection: ReturnType<typeof useSelection>;
  /** Shown above the table while nothing is selected. */
  summary: ReactNode;
  rows: KeyRow[];
  asOf: number;
  total: number;
  firstIndex: number;
  sort: string;
  onSort: (sort: string) => void;
}) {
  const t = useTranslations('keys.column');
  const { instanceId, asOf, selection, summary, ...list } = props;
  // A server with an LFU eviction policy counts accesses instead of idle time.
  const lfu = props.rows.some((row) => row.freq !== null);
  // Columns that say nothing leave their width to the names; the column chooser still has them.
  const hasElements = props.rows.some((row) => row.type !== 'string');
  const hasSlots = useInstance(instanceId).data?.topology === 'cluster';
  const columns = useMemo((): DataColumn<KeyRow>[] => {
    return [
      {
        id: 'name',
        fixed: true,
        header: t('name'),
        sort: 'name',
        cell: (row) => <NameCell row={row} instanceId={instanceId} />,
      },
      {
        id: 'type',
        header: t('type'),
        sort: 'type',
        width: 82,
        hide: 'max-sm:hidden',
        cell: (row) => <TypeCell row={row} />,
      },
      {
        id: 'encoding',
        header: t('encoding'),
        sort: 'encoding',
        width: 100,
        hide: 'max-lg:hidden',
        className: 'text-muted-foreground text-xs',
        cell: (row) => row.encoding ?? '—',
      },
      createFigureColumn('bytes', t('bytes'), 'bytes', (row) => row.bytes, { sort: 'bytes', width: 92 }),
      {
        id: 'length',
        header: t('length'),
        sort: 'length',
        num: true,
        width: 96,
        hide: hasElements ? 'max-md:hidden' : 'hidden',
        cell: (row) => <LengthCell row={row} />,
      },
      {
        id: 'ttl',
        header: 'TTL',
        sort: 'ttl',
        num: true,
        width: 98,
        // On a phone the name needs the width.
        hide: 'max-sm:hidden',
        cell: (row) => <TtlCell row={row} asOf={asOf} />,
      },
      lfu
        ? createFigureColumn('freq', t('freq'), 'number', (row) => row.freq, {
            hide: 'max-md:hidden',
            sort: 'freq',
            width: 76,
          })
        : createFigureColumn('idle', t('idle'), 'seconds', (row) => row.idleSeconds, {
            hide: 'max-md:hidden',
            sort: 'idle',
            width: 98,
          }),
      {
        id: 'slot',
        header: t('slot'),
        sort: 'slot',
        num: true,
        width: 74,
        hide: hasSlots ? 'max-lg:hidden' : 'hidden',
        className: 'text-muted-foreground',
        cell: (row) => row.slot,
      },
      {
        id: 'db',
        header: t('db'),
        sort: 'db',
        num: true,
        width: 60,
        hide: 'max-lg:hidden',
        className: 'text-muted-foreground',
        cell: (row) => row.db,
      },
    ];
  }, [t, instanceId, asOf, lfu, hasElements, hasSlots]);
  return (
    <>
      <SelectionPlace
        bar={selection.count > 0 ? <SelectionBar instanceId={instanceId} shown={props.rows} {...selection} /> : null}
        beside={<ColumnChooser table="keys" columns={columns} />}
        className="py-1.5"
      >
        <div className="num flex flex-wrap items-baseline gap-x-3">{summary}</div>
      </SelectionPlace>
      <KeyTable id="keys" label={t('name')} columns={columns} selection={selection.table} {...list} />
    </>
  );
}
