import type { ReactNode } from 'react';

/** Props of the axes and lines that all charts share. */
const tick = { fontSize: 11, fill: 'var(--muted-foreground)' };
export const X_AXIS = { tick, tickLine: false, axisLine: { stroke: 'var(--border)' } };
export const Y_AXIS = { tick, tickLine: false, axisLine: false, width: 60 };
export const TIME_AXIS = { ...X_AXIS, dataKey: 'at', type: 'number', domain: ['dataMin', 'dataMax'] } as const;

export function TooltipBox({ children }: { children: ReactNode }) {
  return <div className="rounded-md border border-border bg-surface px-3 py-2 text-xs shadow-float">{children}</div>;
}
