import type { ReactNode } from 'react';
import { Area, AreaChart, CartesianGrid, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { buildLogTicks, buildNiceTicks, buildTimeTicks } from '@/components/charts/scales/axis-ticks';
import { TIME_AXIS, TooltipBox, Y_AXIS } from './chart-parts';

interface TimelinePoint {
  /** Epoch ms. */
  at: number;
  value: number;
}
export interface TimelineProps {
  points: readonly TimelinePoint[];
  /** Moments to mark, epoch ms. */
  marks: readonly { at: number; label: string }[];
  label: string;
  height: number;
  formatTime: (at: number) => string;
  unit: 'count' | 'bytes';
  /** If true, the axis is logarithmic, so that small values can be read next to a peak; it includes 0. */
  log: boolean;
  formatAxis: (value: number) => string;
  tooltip: (point: TimelinePoint) => ReactNode;
}

export function DrawnTimeline({ points, marks, formatTime, unit, log, formatAxis, tooltip }: TimelineProps) {
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const moments = buildTimeTicks(from, to, -new Date(from).getTimezoneOffset() * 60_000);
  const highest = points.reduce((max, point) => Math.max(max, point.value), 0);
  const ticks = log ? buildLogTicks(highest, unit) : buildNiceTicks(highest, unit);
  return (
    <ResponsiveContainer width="100%" height="100%">
      <AreaChart data={[...points]} margin={{ top: 12, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--border)" />
        <XAxis {...TIME_AXIS} tickFormatter={formatTime} ticks={moments} minTickGap={24} />
        <YAxis
          {...Y_AXIS}
          interval={0}
          scale={log ? 'symlog' : 'linear'}
          ticks={ticks}
          domain={[0, ticks.at(-1) ?? 1]}
          tickFormatter={formatAxis}
          allowDecimals={false}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--muted-foreground)' }}
          content={({ active, payload }) => {
            const point = payload?.[0]?.payload as TimelinePoint | undefined;
            return active && point ? <TooltipBox>{tooltip(point)}</TooltipBox> : null;
          }}
        />
        <Area
          dataKey="value"
          type="stepAfter"
          stroke="var(--chart-1)"
          strokeWidth={1.5}
          fill="var(--chart-1)"
          fillOpacity={0.15}
          isAnimationActive={false}
        />
        {marks.map((mark) => (
          <ReferenceLine
            key={`${mark.at}-${mark.label}`}
            x={mark.at}
            stroke="var(--danger)"
            strokeWidth={1.5}
            strokeDasharray="3 2"
          />
        ))}
      </AreaChart>
    </ResponsiveContainer>
  );
}
