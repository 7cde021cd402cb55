import { buildSparklinePath } from '@/components/charts/scales/sparkline-path';

const WIDTH = 64;
const HEIGHT = 24;

/** Shows a trend without axes. `label` describes it in words. With fewer than two known points it shows a dash. */
export function Sparkline({ values, label }: { values: readonly (number | null)[]; label: string }) {
  const known = values.filter((v): v is number => v !== null);
  if (known.length < 2) {
    return (
      <span role="img" aria-label={label} className="text-muted-foreground">
        —
      </span>
    );
  }
  const { line, area, last } = buildSparklinePath(known, WIDTH, HEIGHT);
  return (
    <svg
      role="img"
      aria-label={label}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="block overflow-visible"
    >
      <path d={area} fill="var(--chart-1)" opacity={0.12} />
      <path
        d={line}
        fill="none"
        stroke="var(--chart-1)"
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <circle cx={last[0]} cy={last[1]} r={2} fill="var(--chart-1)" />
    </svg>
  );
}
