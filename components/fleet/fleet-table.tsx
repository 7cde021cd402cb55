'use client';
import { useTranslations } from 'use-intl';
import { SortTh, Table, TableScroll, TBody, THead, Th } from '@/components/ui/table';
import type { FleetRow } from '@/lib/model/fleet';
import { FleetTableRow } from './fleet-table-row';

export function FleetTable(props: { rows: FleetRow[]; sort: string; onSort: (sort: string) => void }) {
  const t = useTranslations('fleet');
  const sort = { sort: props.sort, onSort: props.onSort };
  return (
    <TableScroll label={t('tableLabel')}>
      <Table>
        <THead>
          <tr>
            <SortTh name="name" {...sort}>
              {t('column.name')}
            </SortTh>
            <SortTh name="topology" {...sort} className="max-2xl:hidden">
              {t('column.topology')}
            </SortTh>
            <SortTh name="keys" {...sort} right>
              {t('column.keys')}
            </SortTh>
            <SortTh name="memory" {...sort} right className="max-sm:hidden">
              {t('column.memory')}
            </SortTh>
            <SortTh name="score" {...sort} right>
              {t('column.score')}
            </SortTh>
            <SortTh name="mandatory" {...sort} right className="max-lg:hidden">
              {t('column.mandatory')}
            </SortTh>
            <SortTh name="bigkeys" {...sort} right className="max-md:hidden">
              {t('column.bigkeys')}
            </SortTh>
            <SortTh name="noExpiry" {...sort} right className="max-md:hidden">
              {t('column.noExpiry')}
            </SortTh>
            <Th className="max-2xl:hidden">{t('column.trend')}</Th>
            <SortTh name="lastScan" {...sort} firstDescending className="max-sm:hidden">
              {t('column.lastScan')}
            </SortTh>
            <Th right>
              <span className="sr-only">{t('column.actions')}</span>
            </Th>
          </tr>
        </THead>
        <TBody>
          {props.rows.map((row) => (
            <FleetTableRow key={row.instance.id} row={row} />
          ))}
        </TBody>
      </Table>
    </TableScroll>
  );
}
