import dynamic from 'next/dynamic';
import { ChartBox, ChartLoading } from './chart-box';
import type { DualLineProps } from './recharts/drawn-dual-line';

const Drawn = dynamic(() => import('./recharts/drawn-dual-line').then((loaded) => loaded.DrawnDualLine), {
  ssr: false,
  loading: ChartLoading,
});

/** Shows two quantities over the same time, each with its own axis and with its name next to its colour. */
export function DualLine(props: DualLineProps) {
  const { label, left, right, height = 200 } = props;
  return (
    <div>
      <div className="mb-1 flex flex-wrap gap-x-4 text-muted-foreground text-xs">
        <Key color="--chart-1" name={left.name} />
        <Key color="--chart-3" name={right.name} />
      </div>
      <ChartBox label={label} height={height}>
        <Drawn {...props} />
      </ChartBox>
    </div>
  );
}

function Key({ color, name }: { color: string; name: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className="h-0.5 w-3.5 rounded-full" style={{ background: `var(${color})` }} aria-hidden />
      {name}
    </span>
  );
}
