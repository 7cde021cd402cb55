'use client';
import { useTranslations } from 'use-intl';
import { Value } from '@/components/data/format/value';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader } from '@/components/ui/card';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { DeletionPlan } from '@/lib/model/deletion';

/** What the same keys would cost in each way, so that the choice is made with its price in sight. */
export function PricesCard({ plan }: { plan: DeletionPlan }) {
  const t = useTranslations('deletions.plan');
  const modes = useTranslations('deletions.mode');
  if (!plan.prices?.length || !('mode' in plan.options)) return null;
  const { mode: chosen } = plan.options;
  return (
    <Card>
      <CardHeader title={t('prices')} description={t('pricesText')} />
      <TableScroll label={t('prices')}>
        <Table>
          <THead>
            <tr>
              <Th>{t('ways')}</Th>
              <Th className="max-md:hidden">{t('undo')}</Th>
              <Th right>{t('time')}</Th>
              <Th right>{t('load')}</Th>
              <Th right className="max-sm:hidden">
                {t('replication')}
              </Th>
              <Th right className="max-sm:hidden">
                {t('archive')}
              </Th>
            </tr>
          </THead>
          <TBody>
            {plan.prices.map(({ mode, seconds, serverMs, replicationBytes, archiveBytes }) => (
              <Tr key={mode}>
                <Td className="whitespace-nowrap">
                  <span className={mode === chosen ? 'font-medium' : undefined}>{modes(`${mode}.name`)}</span>{' '}
                  {mode === chosen ? <Badge tone="accent">{t('chosen')}</Badge> : null}
                </Td>
                <Td className="text-muted-foreground max-md:hidden">{modes(`${mode}.undo`)}</Td>
                <Td num>
                  <Value value={seconds} as="seconds" />
                </Td>
                <Td num>
                  <Value value={serverMs} as="ms" />
                </Td>
                <Td num className="max-sm:hidden">
                  <Value value={replicationBytes} as="bytes" />
                </Td>
                <Td num className="max-sm:hidden">
                  <Value value={archiveBytes} as="bytes" />
                </Td>
              </Tr>
            ))}
          </TBody>
        </Table>
      </TableScroll>
    </Card>
  );
}
