'use client';
/**
 * The list of keys: virtualised rows in a native table (fixed layout, spacer rows above and below), so that screen
 * readers get a table and 1,000 rows cost what 30 cost. Sorting is the server's; the header writes it to the URL.
 */
import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/cn';
import { SortTh, Th } from '@/components/ui/table';
import type { KeyRow } from '@/lib/model/snapshot';

export interface KeyColumn<R extends KeyRow> {
  id: string;
  header: ReactNode;
  /** px; the name column takes what is left. */
  width?: number;
  right?: boolean;
  sort?: string;
  hint?: string;
  /** Left out on small screens, e.g. `max-sm:hidden`. */
  className?: string;
  cell: (row: R) => ReactNode;
}

const ROW_HEIGHT = 36;
const features = tableFeatures({});

export function KeyTable<R extends KeyRow>(props: {
  label: string;
  columns: readonly KeyColumn<R>[];
  rows: readonly R[];
  total: number;
  firstIndex: number;
  sort: string;
  onSort: (sort: string) => void;
  minWidth?: number;
}) {
  const t = useTranslations('filters.sort');
  const { columns: specs, rows: data } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const columns = useMemo(() => {
    const helper = createColumnHelper<typeof features, R>();
    return specs.map((spec) => helper.display({ id: spec.id, cell: ({ row }) => spec.cell(row.original) }));
  }, [specs]);
  const table = useTable({
    features,
    columns,
    data: data as R[],
    getRowId: (row, i) => `${row.db}:${row.k ?? `#${i}`}`,
  });
  const rows = table.getRowModel().rows;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
    initialRect: { width: 1000, height: 720 },
  });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  const first = rows[0]?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page or order begins at its top
  useEffect(() => {
    // Braces: newer browsers return a promise, and an effect must return nothing.
    scroll.current?.scrollTo({ top: 0 });
  }, [first, props.sort]);

  return (
    <section
      ref={scroll}
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      // `relative` holds the sr-only texts of the rows in: outside it they would lengthen the page.
      className="relative max-h-[calc(100dvh-20rem)] min-h-72 overflow-auto rounded-t-lg"
    >
      <table
        aria-rowcount={props.total + 1}
        className="w-full table-fixed border-collapse text-sm"
        style={{ minWidth: props.minWidth }}
      >
        <colgroup>
          {specs.map((spec) => (
            <col key={spec.id} className={spec.className} style={{ width: spec.width }} />
          ))}
        </colgroup>
        <thead className="sticky top-0 z-10 bg-surface text-muted-foreground text-xs shadow-[inset_0_-1px_0_var(--border)]">
          <tr aria-rowindex={1}>
            {specs.map((spec) => {
              const className = cn('overflow-hidden', spec.className);
              return spec.sort ? (
                <SortTh
                  key={spec.id}
                  name={spec.sort}
                  sort={props.sort}
                  onSort={props.onSort}
                  right={spec.right}
                  className={className}
                  title={spec.hint ?? t('by', { column: String(spec.header) })}
                >
                  {spec.header}
                </SortTh>
              ) : (
                <Th key={spec.id} right={spec.right} className={className} title={spec.hint}>
                  {spec.header}
                </Th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {before > 0 ? <tr aria-hidden style={{ height: before }} /> : null}
          {items.map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            return (
              <tr
                key={row.id}
                aria-rowindex={props.firstIndex + item.index + 2}
                className="border-b hover:bg-hover/60"
                style={{ height: ROW_HEIGHT }}
              >
                {row.getAllCells().map((cell, i) => {
                  const spec = specs[i];
                  return (
                    <td
                      key={cell.id}
                      className={cn(
                        'truncate px-3 first:pl-4 last:pr-4',
                        spec?.right && 'num text-right',
                        spec?.className,
                      )}
                    >
                      <table.FlexRender cell={cell} />
                    </td>
                  );
                })}
              </tr>
            );
          })}
          {after > 0 ? <tr aria-hidden style={{ height: after }} /> : null}
        </tbody>
      </table>
    </section>
  );
}
