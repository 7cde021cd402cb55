import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuChoice,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import type { DataColumn } from './data-column';
import { useColumnChoice } from './use-column-choice';

/**
 * Chooses which columns a table shows. A column that nobody has chosen is shown or hidden by the width of the table, so
 * its tick shows what is visible at the moment the menu opens.
 */
export function ColumnChooser<R>(props: { table: string; columns: readonly DataColumn<R>[] }) {
  const t = useTranslations('ui.columns');
  const { choice, choose, reset } = useColumnChoice(props.table);
  const [fitting, setFitting] = useState<ReadonlySet<string>>(new Set());
  const columns = props.columns.filter((column) => !column.fixed && !column.quiet);
  return (
    <DropdownMenu onOpenChange={(open) => open && setFitting(findShownColumns(props.table))}>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="iconSm" aria-label={t('choose')} title={t('choose')}>
          <Columns3 aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuLabel>{t('title')}</DropdownMenuLabel>
        {columns.map((column) => (
          <DropdownMenuChoice
            key={column.id}
            checked={choice[column.id] ?? fitting.has(column.id)}
            onCheckedChange={(on) => choose(column.id, on === true)}
            // Keep the menu open, so that several columns can be chosen at once.
            onSelect={(event) => event.preventDefault()}
          >
            {column.header}
          </DropdownMenuChoice>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem disabled={Object.keys(choice).length === 0} onSelect={reset}>
          {t('reset')}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function findShownColumns(table: string): ReadonlySet<string> {
  const heads = document.querySelectorAll<HTMLElement>(`[data-table="${CSS.escape(table)}"] th[data-column]`);
  return new Set(
    [...heads].filter((th) => getComputedStyle(th).display !== 'none').map((th) => th.dataset.column ?? ''),
  );
}
