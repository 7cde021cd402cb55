import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { findTable, readTable } from '@/components/data-table/read-table';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { CSV_OPTIONS } from '@/lib/model/text/csv-options';
import { saveFile } from './save-file';

interface OfferedTable {
  /** The attribute `data-table` of the table. */
  id: string;
  name: string;
}

/**
 * Saves tables of this page as CSV. The browser makes the file from the rows and columns that are shown. A table that
 * is not on the page when the menu opens cannot be chosen.
 */
export function TableMenu({ label, tables }: { label: string; tables: readonly OfferedTable[] }) {
  const t = useTranslations('filters.export');
  const [shown, setShown] = useState<readonly string[]>([]);
  const updateShown = () => setShown(tables.map(({ id }) => id).filter((id) => findTable(id) !== null));
  return (
    <DropdownMenu onOpenChange={(open) => open && updateShown()}>
      <DropdownMenuTrigger asChild>
        <Button aria-label={label}>
          <Download aria-hidden />
          {t('menu')}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuLabel>{t('shownHint')}</DropdownMenuLabel>
        {tables.map(({ id, name }) => (
          <DropdownMenuItem key={id} disabled={!shown.includes(id)} onSelect={() => void saveTable(id)}>
            {t('tableCsv', { table: name })}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** The same menu for one table. */
export function OneTableMenu({ id, name }: OfferedTable) {
  const t = useTranslations('filters.export');
  return <TableMenu label={t('rowsLabelOf', { list: name })} tables={[{ id, name }]} />;
}

async function saveTable(id: string): Promise<void> {
  const cells = readTable(id);
  if (cells === null) return;
  // Loaded when somebody saves the first table.
  const { stringify } = await import('csv-stringify/browser/esm/sync');
  const name = `colonnade-${id}-${new Date().toISOString().slice(0, 10)}-${cells.length - 1}-rows.csv`;
  saveFile(new Blob(['\ufeff', stringify(cells, CSV_OPTIONS)], { type: 'text/csv;charset=utf-8' }), name);
}
