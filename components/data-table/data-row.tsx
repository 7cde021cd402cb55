import { ChevronRight } from 'lucide-react';
import { type ComponentProps, memo, type ReactNode, useSyncExternalStore } from 'react';
import { cn } from '@/components/ui/cn';
import { Td, Tr } from '@/components/ui/table';
import type { DataColumn, RowMark } from './data-column';
import { SelectBox } from './select-box';
import type { ColumnChoice } from './use-column-choice';
import type { DataTableRow } from './use-data-table';

interface DataRowProps<R extends object> {
  row: DataTableRow<R>;
  /** The columns that are shown. */
  columns: readonly DataColumn<R>[];
  choice: ColumnChoice;
  /** Index of the row in the table, set if only the visible rows are rendered. */
  index: number | undefined;
  /** Number of the row among all rows, the header being 1, set if not all are rendered. */
  rowIndex: number | undefined;
  measure: ((element: HTMLElement | null) => void) | undefined;
  /** Whether a note follows below the row. */
  noted: boolean;
  /** Label of the row's checkbox; null: rows have none. */
  selectLabel: string | null;
  selected: boolean;
  selectable: boolean;
  /** Whether some rows of the table can be opened. */
  expands: boolean;
  /** Label of the row's open button; null: this row cannot be opened. */
  openLabel: string | null;
  open: boolean;
  mark?: RowMark<R>;
  rowProps?: (row: R) => ComponentProps<'tr'>;
}

const subscribeNever = () => () => undefined;

/** One row. It is memoized by everything that it shows, so that a change of another row does not render it again. */
export const DataRow = memo(function DataRow<R extends object>(props: DataRowProps<R>) {
  const { row, choice, index, mark } = props;
  const record = row.original;
  const isMarked = () => mark?.isMarked(record) ?? false;
  const isReachable = () => mark?.isReachable(record);
  const marked = useSyncExternalStore(mark?.subscribe ?? subscribeNever, isMarked, () => false);
  const reachable = useSyncExternalStore(mark?.subscribe ?? subscribeNever, isReachable, isReachable);
  const own = props.rowProps?.(record);
  return (
    <Tr
      {...own}
      ref={props.measure}
      data-index={index}
      data-row={props.expands ? undefined : row.id}
      aria-rowindex={props.rowIndex}
      className={cn(props.noted && 'border-b-0', marked && 'bg-hover', own?.className)}
    >
      {props.selectLabel === null ? null : (
        <Td className="w-px">
          <SelectBox
            label={props.selectLabel}
            checked={props.selected}
            disabled={!props.selectable}
            reachable={reachable}
            onClick={(event) => row.getToggleSelectedHandler()(event)}
          />
        </Td>
      )}
      {props.columns.map((spec) => {
        const content = spec.cell(record, { reachable: reachable !== false });
        return (
          <Td
            key={spec.id}
            num={spec.num}
            className={cn(choice[spec.id] ? null : spec.hide, spec.className, spec.getClass?.(record))}
            title={spec.getTitle?.(record)}
          >
            {spec.expander && props.expands ? (
              <Opener
                depth={row.depth}
                label={props.openLabel}
                open={props.open}
                reachable={reachable}
                onToggle={() => row.toggleExpanded()}
              >
                {content}
              </Opener>
            ) : (
              content
            )}
          </Td>
        );
      })}
    </Tr>
  );
}) as <R extends object>(props: DataRowProps<R>) => ReactNode;

/** The button before the content of a row that can be opened, or a dot if it cannot. */
function Opener(props: {
  depth: number;
  label: string | null;
  open: boolean;
  reachable: boolean | undefined;
  onToggle: () => void;
  children: ReactNode;
}) {
  return (
    <span
      className="flex min-w-0 items-center gap-1"
      style={{ paddingInlineStart: `${Math.min(props.depth, 8) * 0.875}rem` }}
    >
      {props.label === null ? (
        <span className="grid size-5 shrink-0 place-items-center" aria-hidden>
          <span className="size-1 rounded-full bg-muted-foreground" />
        </span>
      ) : (
        <button
          type="button"
          tabIndex={props.reachable === false ? -1 : undefined}
          aria-expanded={props.open}
          aria-label={props.label}
          onClick={props.onToggle}
          className="grid size-5 shrink-0 place-items-center rounded text-muted-foreground hover:bg-hover hover:text-foreground"
        >
          <ChevronRight className={cn('size-3.5 transition-transform', props.open && 'rotate-90')} aria-hidden />
        </button>
      )}
      {props.children}
    </span>
  );
}
