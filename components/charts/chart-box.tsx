import type { ReactNode } from 'react';

/** Reserves the space of a chart while the library that draws it is loaded, so that nothing around it moves. */
export function ChartBox({ label, height, children }: { label: string; height: number; children: ReactNode }) {
  return (
    <div role="img" aria-label={label} style={{ height }} className="w-full text-xs">
      {children}
    </div>
  );
}

/** Shown while the library is loaded. */
export const ChartLoading = () => <div aria-busy="true" className="size-full" />;
