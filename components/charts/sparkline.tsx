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

/** Space in px around the line, so that its ends and its width stay inside. */
const MARGIN = 2;

/**
 * Returns the SVG paths of a trend and its last point. A flat series runs through the middle. The height represents at
 * least a tenth of the largest value, so that a change of a few per mille does not look like a crash.
 */
export function buildSparklinePath(values: readonly number[], width: number, height: number) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(high - low, Math.abs(high) / 10) || 1;
  const middle = (low + high) / 2;
  const points = values.map((value, i): [number, number] => [
    Number(((i / Math.max(1, values.length - 1)) * (width - 2 * MARGIN) + MARGIN).toFixed(1)),
    Number((height / 2 - ((value - middle) / span) * (height - 2 * MARGIN)).toFixed(1)),
  ]);
  const line = points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  const last = points.at(-1)!;
  return { line, area: `${line}L${last[0]} ${height}L${MARGIN} ${height}Z`, last };
}
