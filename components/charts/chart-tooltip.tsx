import type { ReactNode } from 'react';

/**
 * A tooltip next to a point of its `relative` parent. It changes sides where it would leave the parent. It is hidden
 * from screen readers, because the live region has the same text.
 */
export function ChartTooltip({ x, y, width, children }: { x: number; y: number; width: number; children: ReactNode }) {
  const left = x > width / 2;
  return (
    <div
      aria-hidden="true"
      data-floating
      className="pointer-events-none absolute z-20 w-max max-w-[min(20rem,90%)] rounded-md border border-border bg-surface px-3 py-2 text-xs shadow-float"
      style={{
        top: Math.max(0, y + 14),
        ...(left ? { right: Math.max(0, width - x + 12) } : { left: x + 14 }),
      }}
    >
      {children}
    </div>
  );
}

/** A line of a tooltip. */
export function TooltipRow({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div className="flex justify-between gap-6 leading-5">
      <span className="text-muted-foreground">{label}</span>
      <span className="tabular-nums">{value}</span>
    </div>
  );
}
