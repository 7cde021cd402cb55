import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ColumnChooser } from '@/components/data-table/column-chooser';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { figureColumn } from '@/components/data-table/figure-column';
import { Card, CardHeader } from '@/components/ui/card';
import { Sample } from './sample';

interface Row {
  name: string;
  team: string;
  keys: number;
  bytes: number | null;
}
const row = (name: string, team: string, keys: number, bytes: number | null): Row => ({ name, team, keys, bytes });
const ROWS: readonly Row[] = [
  row('mall:', 'Shop', 120_000, 9_876_543),
  row('user:', 'Accounts', 4_200, null),
  row('lock', '', 1, 56),
];
const BELOW: ReadonlyMap<string, readonly Row[]> = new Map([
  ['mall:', [row('mall:cart:', 'Shop', 90_000, 7_000_000), row('mall:index:', 'Shop', 30_000, 2_876_543)]],
]);
const LONG: readonly Row[] = Array.from({ length: 500 }, (_, i) => row(`session:${i}`, '', i * 7, i * 1024));

function useColumns(expander: boolean): DataColumn<Row>[] {
  const t = useTranslations('styleguide');
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('chip.prefix'),
        fixed: true,
        expander,
        value: (one) => one.name,
        className: 'w-full',
        cell: (one) => <span className="font-mono text-xs">{one.name}</span>,
      },
      figureColumn('keys', t('keys'), 'number', (one) => one.keys),
      figureColumn('bytes', t('size'), 'bytes', (one) => one.bytes, { hide: 'max-sm:hidden' }),
    ],
    [t, expander],
  );
}

/** The one table of records: sorted, ticked, opened, in groups, with notes, longer than the screen, without rows. */
export function TableStates() {
  const t = useTranslations('styleguide');
  const columns = useColumns(false);
  const rowId = (one: Row) => one.name;
  return (
    <Card>
      <CardHeader title={t('tables')} actions={<ColumnChooser table="styleguide" columns={columns} />} />
      <div className="space-y-4 pb-2">
        <TickedAndOpened />
        <DataTable
          label={t('grouped')}
          columns={columns}
          rows={ROWS}
          rowId={rowId}
          groupOf={({ team }) => ({ id: team, label: team || t('nobody') })}
          note={(one) => (one.bytes === null ? t('hint') : null)}
        />
        <DataTable label={t('long')} className="max-h-72 overflow-y-auto" columns={columns} rows={LONG} rowId={rowId} />
        <DataTable label={t('empty')} columns={columns} rows={[]} rowId={rowId} empty={t('empty')} />
      </div>
    </Card>
  );
}

function TickedAndOpened() {
  const t = useTranslations('styleguide');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['user:']));
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(['mall:']));
  const toggled = (before: ReadonlySet<string>, names: readonly string[], on: boolean) => {
    const next = new Set(before);
    for (const name of names) {
      if (on) next.add(name);
      else next.delete(name);
    }
    return next;
  };
  return (
    <Sample of={`DataTable ${[...chosen].join(' ')}`}>
      <DataTable
        id="styleguide"
        label={t('ticked')}
        columns={useColumns(true)}
        rows={ROWS}
        rowId={({ name }) => name}
        selection={{
          chosen,
          can: ({ name }) => name !== 'lock',
          label: ({ name }) => t('select', { name }),
          labelAll: t('selectAll'),
          onToggle: (rows, on) =>
            setChosen(
              toggled(
                chosen,
                rows.map(({ name }) => name),
                on,
              ),
            ),
        }}
        expansion={{
          open,
          rows: BELOW,
          canOpen: ({ name }) => BELOW.has(name),
          label: ({ name }) => t('open', { name }),
          onToggle: (name, on) => setOpen(toggled(open, [name], on)),
        }}
      />
    </Sample>
  );
}
