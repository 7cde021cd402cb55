import type { ReactNode } from 'react';
import { CartesianGrid, Line, LineChart, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { buildTicksAround, buildTimeTicks } from '@/components/charts/scales/axis-ticks';
import { TIME_AXIS, TooltipBox, Y_AXIS } from './chart-parts';

export interface TrendLineProps {
  label: string;
  /** Epoch ms, oldest first. null leaves a gap; `breaks`: the line begins again here, because values differ in kind. */
  points: readonly { at: number; value: number | null; breaks: boolean }[];
  height: number;
  unit: 'count' | 'bytes';
  formatTime: (at: number) => string;
  formatAxis: (value: number) => string;
  tooltip: (at: number) => ReactNode;
}

export function DrawnTrendLine({ points, unit, formatTime, formatAxis, tooltip }: TrendLineProps) {
  let part = 0;
  // Each part between two breaks is a line of its own.
  const rows = points.map(({ at, value, breaks }) => {
    if (breaks) part++;
    return { at, [`part${part}`]: value };
  });
  const ticks = buildTicksAround(
    points.flatMap(({ value }) => value ?? []),
    unit,
  );
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  return (
    <ResponsiveContainer width="100%" height="100%">
      <LineChart data={rows} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--border)" />
        <XAxis
          {...TIME_AXIS}
          tickFormatter={formatTime}
          ticks={buildTimeTicks(from, to, -new Date(from).getTimezoneOffset() * 60_000)}
          minTickGap={24}
        />
        <YAxis
          {...Y_AXIS}
          interval={0}
          ticks={ticks}
          domain={[ticks[0] ?? 0, ticks.at(-1) ?? 1]}
          tickFormatter={formatAxis}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--muted-foreground)' }}
          content={({ active, label }) =>
            active && typeof label === 'number' ? <TooltipBox>{tooltip(label)}</TooltipBox> : null
          }
        />
        {points.map(({ at, breaks }) =>
          breaks ? <ReferenceLine key={at} x={at} stroke="var(--muted-foreground)" strokeDasharray="3 2" /> : null,
        )}
        {Array.from({ length: part + 1 }, (_, i) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its number
            key={i}
            dataKey={`part${i}`}
            stroke="var(--chart-1)"
            strokeWidth={1.5}
            dot={{ r: 1.5, fill: 'var(--chart-1)' }}
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  );
}
