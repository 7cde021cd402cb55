import { lazy, Suspense } from 'react';
import type { DualLineProps } from '@/components/charts/props/dual-line-props';

const Live = lazy(() => import('./live/live-dual-line').then((loaded) => ({ default: loaded.LiveDualLine })));

/** Two quantities of one time, each with its own axis and its name beside its colour. Loaded where it is drawn. */
export function DualLine(props: DualLineProps) {
  const { label, left, right, height = 200 } = props;
  return (
    <div>
      <div className="mb-1 flex flex-wrap gap-x-4 text-muted-foreground text-xs">
        <Key color="--chart-1" name={left.name} />
        <Key color="--chart-3" name={right.name} />
      </div>
      <div role="img" aria-label={label} style={{ height }} className="w-full text-xs">
        <Suspense>
          <Live {...props} />
        </Suspense>
      </div>
    </div>
  );
}

function Key({ color, name }: { color: string; name: string }) {
  return (
    <span data-legend={color} className="inline-flex items-center gap-1.5">
      <span className="h-0.5 w-3.5 rounded-full" style={{ background: `var(${color})` }} aria-hidden />
      {name}
    </span>
  );
}
