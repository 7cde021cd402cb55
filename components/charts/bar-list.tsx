import type { ReactNode } from 'react';
import { ShareBar } from './share-bar';

interface BarRow {
  id: string;
  label: ReactNode;
  value: number;
  valueLabel: string;
  note: ReactNode;
}

/** Horizontal bars as a list: label and number are text; the bar below them is scaled to the largest value. */
export function BarList({ rows, label }: { rows: readonly BarRow[]; label: string }) {
  const top = Math.max(0, ...rows.map((row) => row.value));
  return (
    <ul aria-label={label} className="flex flex-col gap-2.5">
      {rows.map((row) => (
        <li key={row.id}>
          <div className="flex items-baseline justify-between gap-3 text-sm">
            <span className="min-w-0 truncate">{row.label}</span>
            <span className="shrink-0 tabular-nums">
              {row.valueLabel}
              <span className="ml-2 text-xs text-muted-foreground">{row.note}</span>
            </span>
          </div>
          <div className="mt-1">
            <ShareBar share={top > 0 ? row.value / top : 0} />
          </div>
        </li>
      ))}
    </ul>
  );
}
