import type { ReactNode } from 'react';
import { Bar, BarChart, CartesianGrid, Cell, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { buildNiceTicks } from '@/components/charts/scales/nice-ticks';

const tick = { fontSize: 11, fill: 'var(--muted-foreground)' };

export interface HistogramProps {
  bars: readonly { id: string; label: string; value: number; color?: string }[];
  label: string;
  height?: number;
  unit: 'count' | 'bytes';
  /** Lowest end of the axis, so that two charts next to each other can share it. */
  highest?: number;
  formatAxis: (value: number) => string;
  tooltip: (index: number) => ReactNode;
  onOpen?: (index: number) => void;
}

export function DrawnHistogram({ bars, unit, highest = 0, formatAxis, tooltip, onOpen }: HistogramProps) {
  const ticks = buildNiceTicks(Math.max(highest, ...bars.map((bar) => bar.value)), unit);
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={[...bars]}
        margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
        barCategoryGap="12%"
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--border)" />
        <XAxis
          dataKey="label"
          tick={tick}
          tickLine={false}
          axisLine={{ stroke: 'var(--border)' }}
          interval="preserveStartEnd"
          minTickGap={6}
        />
        <YAxis
          tick={tick}
          tickLine={false}
          axisLine={false}
          width={60}
          ticks={ticks}
          domain={[0, ticks.at(-1) ?? 1]}
          tickFormatter={formatAxis}
          allowDecimals={false}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: 'var(--muted)', opacity: 0.6 }}
          content={({ active, activeIndex }) =>
            active && activeIndex !== undefined && activeIndex !== null ? (
              <div className="rounded-md border border-border bg-surface px-3 py-2 text-xs shadow-float">
                {tooltip(Number(activeIndex))}
              </div>
            ) : null
          }
        />
        <Bar
          dataKey="value"
          radius={[3, 3, 0, 0]}
          isAnimationActive={false}
          minPointSize={(value) => (Number(value) > 0 ? 2 : 0)}
          onClick={(_, index) => onOpen?.(index)}
          className={onOpen ? 'cursor-pointer' : undefined}
        >
          {bars.map((bar) => (
            <Cell key={bar.id} fill={`var(${bar.color ?? '--chart-1'})`} />
          ))}
        </Bar>
      </BarChart>
    </ResponsiveContainer>
  );
}
