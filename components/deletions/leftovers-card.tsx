import { Search } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { TimeAgo } from '@/components/data/format/time-ago';
import { Value } from '@/components/data/format/value';
import { May } from '@/components/data/may';
import { useLeftovers, useSearchLeftovers } from '@/components/data/queries/use-deletions';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import { Link } from '@/components/ui/link';
import { Skeleton } from '@/components/ui/skeleton';
import { getLeftoverState, type Leftover, type LeftoversSearch } from '@/lib/model/deletions/leftovers';
import { isActive } from '@/lib/model/job-states';

/**
 * The internal keys on the servers. A search reads the whole keyspace, so a person has to start it, and it is a job.
 */
export function LeftoversCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('deletions.leftovers');
  const columnNames = useTranslations('deletions.columns');
  const { data, error, refetch } = useLeftovers(instanceId);
  const start = useSearchLeftovers(instanceId);
  const search = data?.search ?? null;
  const rows = data?.leftovers ?? [];
  const searching = search !== null && isActive(search);
  const columns: DataColumn<Leftover>[] = [
    {
      id: 'name',
      header: t('name'),
      value: ({ name }) => name,
      className: 'w-full min-w-36 max-w-0',
      cell: (row) => (
        <>
          <KeyName name={row.name} max={50} copy />
          {row.original === null ? null : (
            <p className="flex gap-x-1.5 text-muted-foreground text-xs">
              {t('was')} <KeyName name={row.original} max={50} />
            </p>
          )}
        </>
      ),
    },
    createFigureColumn('bytes', columnNames('bytes'), 'bytes', ({ bytes }) => bytes, { hide: 'max-sm:hidden' }),
    {
      id: 'state',
      header: columnNames('state'),
      value: getLeftoverState,
      cell: (row) => (
        <span className="flex flex-col items-start gap-1">
          <Badge tone={row.owned ? 'accent' : 'warning'}>{t(getLeftoverState(row))}</Badge>
          <Badge tone="outline">{t(row.kind)}</Badge>
        </span>
      ),
    },
  ];
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <>
            {rows.length > 0 ? <OneTableMenu id="leftovers" name={t('title')} /> : null}
            <May permission="scan.run" instanceId={instanceId} reason>
              <Button size="sm" busy={start.isPending || searching} onClick={() => start.mutate()}>
                {start.isPending || searching ? null : <Search aria-hidden />}
                {t('search')}
              </Button>
            </May>
          </>
        }
      />
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {start.error ? <ErrorState error={start.error} /> : null}
      {data && !search ? <CardBody className="text-muted-foreground">{t('notYet')}</CardBody> : null}
      {!data && !error ? <Skeleton className="m-4 h-5" /> : null}
      {search ? <SearchLine search={search} found={rows.length} /> : null}
      {rows.length > 0 ? (
        <DataTable
          id="leftovers"
          label={t('title')}
          columns={columns}
          rows={rows}
          rowId={(row) => `${row.address}/${row.db}/${row.k}`}
        />
      ) : null}
    </Card>
  );
}

/** The progress of the newest search, or when it ended and what it could not read. */
function SearchLine({ search, found }: { search: LeftoversSearch; found: number }) {
  const t = useTranslations('deletions.leftovers');
  const states = useTranslations('jobs.state');
  const ended = search.state === 'succeeded';
  return (
    <CardBody className="space-y-1 text-muted-foreground" role="status">
      <p>
        {ended && found === 0 && search.skipped.length === 0 ? `${t('none')} ` : null}
        <Link className="underline underline-offset-2" href={`/jobs/${encodeURIComponent(search.jobId)}`}>
          {states(search.state)}
        </Link>
        {' · '}
        {t('keysRead')} <Value value={search.keysRead} as="number" />
        {search.endedAt === null ? null : (
          <>
            {' · '}
            <TimeAgo at={search.endedAt} />
          </>
        )}
      </p>
      {search.skipped.length > 0 ? <p>{t('skipped', { nodes: search.skipped.join(', ') })}</p> : null}
      {search.cut ? <p>{t('cut')}</p> : null}
    </CardBody>
  );
}
