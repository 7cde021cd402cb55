import { FolderTree } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useReport } from '@/components/data/queries/use-report';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { useHere } from '@/components/layout/navigation/use-here';
import { buildPathFilterPatch } from '@/components/reports/filter/level-filter';
import { useFilter } from '@/components/reports/filter/use-filter';
import { TOP_PREFIXES, toTopPrefixesQuery } from '@/components/reports/report-params';
import { TypeMix } from '@/components/reports/type-mix';
import { useReportHref } from '@/components/reports/use-report-href';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import { Link } from '@/components/ui/link';
import { SkeletonRows } from '@/components/ui/skeleton';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { OverviewReport, TreeNode } from '@/lib/model/reports/reports';
import { toOverviewQuery } from './overview-query';
import { useMeasure } from './use-measure';

/** The prefixes with the most memory. Each row opens its level of the tree, or its keys if there is no level below. */
export function TopPrefixes(props: { instanceId: string; snapshotId: string; report: OverviewReport; live: boolean }) {
  const { instanceId, report } = props;
  const t = useTranslations('overview.prefixes');
  const f = useFormat();
  const filters = useTranslations('filters.report');
  const { reportFilter } = useFilter();
  const query = toOverviewQuery(reportFilter);
  const { by } = useMeasure();
  const measure = (row: { keys: number; bytes: number }) => (by === 'keys' ? row.keys : row.bytes);
  // While a scan runs, all cards use the answer of the overview report, so that their numbers are from the same moment.
  const tree = useReport(
    props.snapshotId,
    'tree',
    { ...query, ...toTopPrefixesQuery({ by }) },
    { enabled: !props.live },
  );
  const children = props.live ? undefined : tree.data?.report.children;
  const rows = (children ?? report.topPrefixes.toSorted((a, b) => measure(b) - measure(a))).slice(0, TOP_PREFIXES);
  const largest = Math.max(0, ...rows.map(measure));
  const reportHref = useReportHref(instanceId);
  const { instanceHref } = useHere();
  // The names of these rows were not split by the delimiter in the address, so links drop it.
  const delimiterPatch = query.delimiter ? {} : { delimiter: null };
  const buildHref = ({ path, branchKeys }: TreeNode) =>
    branchKeys > 0
      ? reportHref('tree', { ...buildPathFilterPatch(path, { exact: false }), ...delimiterPatch })
      : reportHref('keys', { ...buildPathFilterPatch(path, { exact: true }), ...delimiterPatch });
  const columns: DataColumn<TreeNode>[] = [
    {
      id: 'prefix',
      header: t('prefix'),
      value: (node) => node.path,
      // Takes the remaining width: a long name is cut before a figure leaves the card.
      className: 'w-full min-w-32 max-w-0',
      cell: (node) => (
        <Link href={buildHref(node)} className="block min-w-0 rounded hover:text-accent hover:underline">
          <KeyName name={node.path} max={40} />
        </Link>
      ),
    },
    {
      id: 'types',
      header: t('types'),
      hide: 'max-md:hidden',
      className: 'w-24',
      cell: (node) => <TypeMix types={node.types} className="h-1.5 w-20" />,
    },
    createFigureColumn('keys', t('keys'), 'number', (node) => node.keys),
    createFigureColumn('memory', t('memory'), 'bytes', toKnownBytes),
    {
      id: 'share',
      header: t('share'),
      num: true,
      hide: 'max-sm:hidden',
      value: measure,
      cell: (node) => (
        <span className="inline-flex items-center gap-2">
          <span className="h-1.5 w-10 overflow-hidden rounded-full bg-chart-track" aria-hidden>
            <span
              className="block h-full rounded-full bg-chart-1"
              style={{ width: `${largest > 0 ? (measure(node) / largest) * 100 : 0}%` }}
            />
          </span>
          <span className="min-w-12">{f.shareOf(measure(node), measure(report))}</span>
        </span>
      ),
    },
    {
      id: 'noExpiry',
      header: t('noExpiry'),
      num: true,
      hide: 'max-md:hidden',
      value: (node) => (node.keys === 0 ? null : node.noExpiry / node.keys),
      cell: (node) => f.shareOf(node.noExpiry, node.keys),
    },
    {
      id: 'bigkeys',
      header: t('bigkeys'),
      num: true,
      hide: 'max-md:hidden',
      value: (node) => node.bigkeys,
      cell: (node) => (node.bigkeys === 0 ? <span className="text-muted-foreground">0</span> : f.number(node.bigkeys)),
    },
  ];
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={t(by === 'keys' ? 'byKeys' : 'byMemory')}
        actions={
          <Button asChild size="sm">
            <Link href={instanceHref(instanceId, '/tree')}>
              <FolderTree aria-hidden />
              {report.prefixCount > TOP_PREFIXES ? t('more', { count: f.number(report.prefixCount) }) : t('openTree')}
            </Link>
          </Button>
        }
      />
      {tree.isPending && !props.live ? (
        // The prefixes of the overview report are not shown meanwhile: rows that change places are worse than a
        // placeholder.
        <SkeletonRows rows={Math.min(TOP_PREFIXES, Math.max(1, report.prefixCount)) + 1} />
      ) : rows.length === 0 ? (
        <p className="px-4 py-8 text-center text-muted-foreground">
          {Object.keys(query).length > 0 ? filters('emptyFiltered') : t(props.live ? 'emptyLive' : 'empty')}
        </p>
      ) : (
        <DataTable label={t('tableLabel')} columns={columns} rows={rows} rowId={(node) => node.path} />
      )}
    </Card>
  );
}
