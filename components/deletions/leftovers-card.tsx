'use client';
import { Search } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { TimeAgo } from '@/components/data/format/time-ago';
import { Value } from '@/components/data/format/value';
import { useLeftovers, useSearchLeftovers } from '@/components/data/use-deletions';
import { isActive } from '@/components/data/use-jobs';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import { Skeleton } from '@/components/ui/skeleton';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { LeftoversSearch } from '@/lib/model/leftovers';

/** Internal keys on the servers. Searching goes over the whole keyspace, so a person asks for it, and it is a job. */
export function LeftoversCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('deletions.leftovers');
  const columns = useTranslations('deletions.columns');
  const { data, error, refetch } = useLeftovers(instanceId);
  const start = useSearchLeftovers(instanceId);
  const search = data?.search ?? null;
  const rows = data?.leftovers ?? [];
  const searching = search !== null && isActive(search);
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <Button size="sm" busy={start.isPending || searching} onClick={() => start.mutate()}>
            {start.isPending || searching ? null : <Search aria-hidden />}
            {t('search')}
          </Button>
        }
      />
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {start.error ? <ErrorState error={start.error} /> : null}
      {data && !search ? <CardBody className="text-muted-foreground">{t('notYet')}</CardBody> : null}
      {!data && !error ? <Skeleton className="m-4 h-5" /> : null}
      {search ? <SearchLine search={search} found={rows.length} /> : null}
      {rows.length > 0 ? (
        <TableScroll label={t('title')}>
          <Table>
            <THead>
              <tr>
                <Th>{t('name')}</Th>
                <Th right className="max-sm:hidden">
                  {columns('bytes')}
                </Th>
                <Th>{columns('state')}</Th>
              </tr>
            </THead>
            <TBody>
              {rows.map((row) => (
                <Tr key={`${row.address}/${row.db}/${row.k}`}>
                  <Td className="w-full min-w-36 max-w-0">
                    <KeyName name={row.name} max={50} copy />
                    {row.original === null ? null : (
                      <p className="flex gap-x-1.5 text-muted-foreground text-xs">
                        {t('was')} <KeyName name={row.original} max={50} />
                      </p>
                    )}
                  </Td>
                  <Td num className="max-sm:hidden">
                    <Value value={row.bytes} as="bytes" />
                  </Td>
                  <Td>
                    <span className="flex flex-col items-start gap-1">
                      <Badge tone={row.owned ? 'accent' : 'warning'}>
                        {t(row.owned ? 'owned' : row.original === null ? 'orphan' : 'ended')}
                      </Badge>
                      <Badge tone="outline">{t(row.kind)}</Badge>
                    </span>
                  </Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        </TableScroll>
      ) : null}
    </Card>
  );
}

/** How far the newest search is, or when it ended and what it could not see. */
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
