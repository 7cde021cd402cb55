import { CircleCheck } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useHydrated } from '@/components/data/format/use-hydrated';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { useFilter } from '@/components/reports/filter/use-filter';
import { PrefixName } from '@/components/reports/prefix-name';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { TtlReport } from '@/lib/model/reports/reports';
import { buildStormFilter } from './ttl-filter';

export function TtlStorms({ instanceId, report, asOf }: { instanceId: string; report: TtlReport; asOf: number }) {
  const t = useTranslations('ttl');
  const f = useFormat();
  const href = useReportHref(instanceId);
  const { filter } = useFilter();
  const hydrated = useHydrated();
  const minuteFormat = useMemo(
    () =>
      new Intl.DateTimeFormat(f.locale, {
        month: 'short',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      }),
    [f.locale],
  );
  const buildStormHref = (storm: TtlReport['storms'][number]) =>
    href('keys', buildStormFilter(storm, asOf, filter.prefix));
  const columns: DataColumn<TtlReport['storms'][number]>[] = [
    {
      id: 'minute',
      header: t('column.minute'),
      value: (storm) => storm.minute,
      className: 'num',
      cell: (storm) => (
        <Link href={buildStormHref(storm)} className="hover:text-accent hover:underline">
          <span title={f.dateTimeExact(storm.minute)}>
            {hydrated ? minuteFormat.format(storm.minute) : f.dateTime(storm.minute)}
          </span>
        </Link>
      ),
    },
    {
      id: 'prefix',
      header: t('column.prefix'),
      value: (storm) => storm.prefix,
      className: 'w-full min-w-24 max-w-0',
      cell: (storm) => <PrefixName prefix={storm.prefix} href={buildStormHref(storm)} />,
    },
    {
      id: 'keys',
      header: t('column.within'),
      num: true,
      value: (storm) => storm.keys,
      // On a phone both are on two lines, so that the prefix has room.
      headClassName: 'max-sm:whitespace-normal',
      className: 'font-medium text-danger max-sm:whitespace-normal',
      cell: (storm) => t('keysOf', { keys: f.number(storm.keys), all: f.number(storm.ofKeys) }),
    },
    createFigureColumn('bytes', t('column.bytes'), 'bytes', toKnownBytes, { hide: 'max-sm:hidden' }),
  ];
  return (
    <Card className="xl:col-span-2">
      <CardHeader title={t('storms')} description={t('stormsHint')} />
      {report.storms.length === 0 ? (
        <EmptyState icon={CircleCheck} title={t('stormsEmpty')} />
      ) : (
        <DataTable
          label={t('storms')}
          first={10}
          columns={columns}
          rows={report.storms}
          rowId={(storm) => `${storm.minute}:${storm.prefix}`}
        />
      )}
    </Card>
  );
}
