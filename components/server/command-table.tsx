import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { NotInFile } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import type { ServerAudit } from '@/lib/model/servers/server-audit';

/** The number of commands that are listed. */
const SHOWN = 30;

/** The servers' time by command, summed over all nodes. */
export function CommandTable({ audit }: { audit: ServerAudit }) {
  const t = useTranslations('serverAudit');
  const f = useFormat();
  const sums = new Map<string, { calls: number; microseconds: number }>();
  for (const node of audit.nodes)
    for (const [name, stat] of Object.entries(node.commandStats ?? {})) {
      const sum = sums.get(name) ?? { calls: 0, microseconds: 0 };
      sums.set(name, { calls: sum.calls + stat.calls, microseconds: sum.microseconds + stat.microseconds });
    }
  const rows = [...sums]
    .map(([name, sum]) => ({ name, ...sum, perCall: sum.microseconds / Math.max(1, sum.calls) }))
    .toSorted((a, b) => b.microseconds - a.microseconds)
    .slice(0, SHOWN);
  const columns: DataColumn<(typeof rows)[number]>[] = [
    {
      id: 'command',
      header: t('column.command'),
      value: (row) => row.name,
      className: 'font-mono text-xs',
      cell: (row) => (
        <>
          {row.name.toUpperCase().replace('|', ' ')}
          <NotInFile>
            <span className="num block font-sans text-muted-foreground sm:hidden">× {f.number(row.calls)}</span>
          </NotInFile>
        </>
      ),
    },
    createFigureColumn('calls', t('column.calls'), 'number', (row) => row.calls, { hide: 'max-sm:hidden' }),
    // Most calls take less than a hundredth of a millisecond, so the whole column uses µs.
    createFigureColumn('perCall', t('column.perCall'), 'micros', (row) => row.perCall, {
      headClassName: 'max-sm:px-1',
      className: 'max-sm:px-1',
    }),
    createFigureColumn('total', t('column.total'), 'ms', (row) => row.microseconds / 1000),
  ];
  return (
    <Card id="commands" className="scroll-mt-16">
      <CardHeader title={t('commands')} />
      {rows.length === 0 ? (
        <CardBody className="text-muted-foreground text-sm">{t('commandsUnknown')}</CardBody>
      ) : (
        <DataTable
          id="server-commands"
          label={t('commandsLabel')}
          first={5}
          columns={columns}
          rows={rows}
          rowId={(row) => row.name}
        />
      )}
    </Card>
  );
}
