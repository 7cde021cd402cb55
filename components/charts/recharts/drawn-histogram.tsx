import type { ReactNode } from 'react';
import { Bar, BarChart, CartesianGrid, Cell, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { buildNiceTicks } from '@/components/charts/scales/axis-ticks';
import { TooltipBox, X_AXIS, Y_AXIS } from './chart-parts';

export interface HistogramProps {
  bars: readonly { id: string; label: string; value: number; color?: string }[];
  label: string;
  height: number;
  unit: 'count' | 'bytes';
  /** The axis reaches at least this value, so that two charts next to each other can have the same axis. */
  highest?: number;
  formatAxis: (value: number) => string;
  tooltip: (index: number) => ReactNode;
  onOpen?: (index: number) => void;
}

/** Up to this many bars all have a label, oblique if they are many; of more bars only some have one. */
const LABELLED_BARS = 20;
const LEVEL_LABELS = 8;

function chooseTicks(bars: number) {
  if (bars > LABELLED_BARS) return { interval: 'preserveStartEnd', minTickGap: 6 } as const;
  if (bars <= LEVEL_LABELS) return { interval: 0 } as const;
  return { interval: 0, angle: -45, textAnchor: 'end', height: 46, tickMargin: 2 } as const;
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
        <XAxis {...X_AXIS} dataKey="label" {...chooseTicks(bars.length)} />
        <YAxis
          {...Y_AXIS}
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
              <TooltipBox>{tooltip(Number(activeIndex))}</TooltipBox>
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
