import { Fragment, useMemo, useRef } from 'react';
import { TBody, Tr } from '@/components/ui/table';
import type { DataColumn } from './data-column';
import { DataRow } from './data-row';
import { Space } from './space';
import type { DataTableProps } from './table-props';
import type { ColumnChoice } from './use-column-choice';
import type { TableLine } from './use-lines';
import { useRovingRows } from './use-roving-rows';
import { useWindow } from './use-window';

/**
 * The body of a table. While the table scrolls, only the body is rendered again: the head is not, and rows are not
 * sorted again.
 */
export function DataRows<R extends object>(props: {
  options: DataTableProps<R>;
  lines: readonly TableLine<R>[];
  /** The columns that are shown. */
  shown: readonly DataColumn<R>[];
  choice: ColumnChoice;
  windowed: boolean;
}) {
  const { options, lines, shown, choice } = props;
  const { selection, expansion } = options;
  const width = shown.length + (selection ? 1 : 0);
  const body = useRef<HTMLTableSectionElement>(null);
  const roving = useRovingRows(body);
  const ids = useMemo(() => lines.map((line) => line.id), [lines]);
  // Searched from the body upwards: on the first render a ref to the surrounding element is not set yet.
  const scroll = () => body.current?.closest<HTMLElement>('section') ?? null;
  const view = useWindow(scroll, ids, {
    windowed: props.windowed,
    heads: shown.map(({ id }) => id).join(),
    kept: options.kept ?? (expansion ? undefined : roving.activeRow),
  });
  // The header is the first row.
  const first = options.page ? options.page.first + 2 : 2;
  const drawn = view === null ? lines : view.indexes.flatMap((index) => lines[index] ?? []);
  return (
    <TBody ref={body} {...(expansion ? null : roving.listeners)} {...options.bodyProps}>
      {drawn.map(({ id, row, group }, place) => {
        const index = view?.indexes[place];
        const space = <Space height={view?.before[place]} />;
        if (group !== undefined)
          return (
            <Fragment key={id}>
              {space}
              <Tr
                ref={view?.measure}
                data-index={index}
                aria-rowindex={index === undefined ? undefined : first + index}
                className="bg-muted/60 hover:bg-muted/60"
              >
                <th scope="rowgroup" colSpan={width} className="px-4 py-1.5 text-left font-medium text-xs">
                  {group.label}
                </th>
              </Tr>
            </Fragment>
          );
        const note = options.note?.(row.original) ?? null;
        return (
          <Fragment key={id}>
            {space}
            <DataRow
              row={row}
              columns={shown}
              choice={choice}
              index={index}
              rowIndex={index === undefined && !options.page ? undefined : first + (index ?? place)}
              measure={view?.measure}
              noted={note !== null}
              selectLabel={selection ? selection.label(row.original) : null}
              selected={row.getIsSelected()}
              selectable={row.getCanSelect()}
              expands={expansion !== undefined}
              openLabel={expansion && row.getCanExpand() ? expansion.label(row.original) : null}
              open={row.getIsExpanded()}
              mark={options.mark}
              rowProps={options.rowProps}
            />
            {note === null ? null : (
              <Tr className="hover:bg-transparent">
                <td colSpan={width} className="px-4 pb-2 text-muted-foreground text-xs">
                  {note}
                </td>
              </Tr>
            )}
          </Fragment>
        );
      })}
      <Space height={view?.after} />
      {lines.length === 0 && options.empty !== undefined ? (
        <tr>
          <td colSpan={width} className="px-4 py-6 text-center text-muted-foreground">
            {options.empty}
          </td>
        </tr>
      ) : null}
    </TBody>
  );
}
