import { buildSparklinePath } from '@/components/charts/scales/sparkline-path';

/** Shows a trend without axes. `label` describes it in words. With fewer than two known points it shows a dash. */
export function Sparkline({
  values,
  label,
  width = 96,
  height = 24,
  color = '--chart-1',
}: {
  values: readonly (number | null)[];
  label: string;
  width?: number;
  height?: number;
  color?: string;
}) {
  const known = values.filter((v): v is number => v !== null);
  if (known.length < 2) {
    return (
      <span role="img" aria-label={label} className="text-muted-foreground">
        —
      </span>
    );
  }
  const { line, area, last } = buildSparklinePath(known, width, height);
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="block overflow-visible"
    >
      <path d={area} fill={`var(${color})`} opacity={0.12} />
      <path
        d={line}
        fill="none"
        stroke={`var(${color})`}
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <circle cx={last[0]} cy={last[1]} r={2} fill={`var(${color})`} />
    </svg>
  );
}
