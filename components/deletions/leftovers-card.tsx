'use client';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { Value } from '@/components/data/format/value';
import { useLeftovers } from '@/components/data/use-deletions';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';

/** Keys of ours on the servers. Looking for them walks the keyspace, so a person asks for it. */
export function LeftoversCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('deletions.leftovers');
  const columns = useTranslations('deletions.columns');
  const [asked, setAsked] = useState(false);
  const { data, error, isFetching, refetch } = useLeftovers(instanceId, asked);
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <Button size="sm" busy={isFetching} onClick={() => (asked ? void refetch() : setAsked(true))}>
            <Search aria-hidden />
            {t('look')}
          </Button>
        }
      />
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data?.length === 0 ? <CardBody className="text-muted-foreground">{t('none')}</CardBody> : null}
      {data && data.length > 0 ? (
        <TableScroll label={t('title')}>
          <Table>
            <THead>
              <tr>
                <Th>{t('name')}</Th>
                <Th>{t('was')}</Th>
                <Th right>{columns('bytes')}</Th>
                <Th>{columns('state')}</Th>
              </tr>
            </THead>
            <TBody>
              {data.map((row) => (
                <Tr key={`${row.address}/${row.db}/${row.k}`}>
                  <Td>
                    <KeyName name={row.name} max={50} copy />
                  </Td>
                  <Td>{row.original === null ? '—' : <KeyName name={row.original} max={50} />}</Td>
                  <Td num>
                    <Value value={row.bytes} as="bytes" />
                  </Td>
                  <Td>
                    <Badge tone={row.owned ? 'accent' : 'warning'}>{t(row.owned ? 'owned' : 'orphan')}</Badge>{' '}
                    <Badge tone="outline">{t(row.kind)}</Badge>
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
