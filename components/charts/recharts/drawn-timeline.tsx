import type { ReactNode } from 'react';
import { Area, AreaChart, CartesianGrid, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { buildLogTicks } from '@/components/charts/scales/log-ticks';
import { buildNiceTicks } from '@/components/charts/scales/nice-ticks';
import { buildTimeTicks } from '@/components/charts/scales/time-ticks';

const tick = { fontSize: 11, fill: 'var(--muted-foreground)' };

interface TimelinePoint {
  at: number;
  value: number;
}
export interface TimelineProps {
  points: readonly TimelinePoint[];
  /** Moments to mark, epoch ms. */
  marks: readonly { at: number; label: string }[];
  label: string;
  height?: number;
  formatTime: (at: number) => string;
  unit: 'count' | 'bytes';
  /** If true, the axis is logarithmic, so that small values can be read next to a peak; it includes 0. */
  log?: boolean;
  formatAxis: (value: number) => string;
  tooltip: (point: TimelinePoint) => ReactNode;
}

export function DrawnTimeline({ points, marks, formatTime, unit, log = false, formatAxis, tooltip }: TimelineProps) {
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const moments = buildTimeTicks(from, to, -new Date(from).getTimezoneOffset() * 60_000);
  const highest = points.reduce((max, point) => Math.max(max, point.value), 0);
  const ticks = log ? buildLogTicks(highest, unit) : buildNiceTicks(highest, unit);
  return (
    <ResponsiveContainer width="100%" height="100%">
      <AreaChart data={[...points]} margin={{ top: 12, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--border)" />
        <XAxis
          dataKey="at"
          type="number"
          domain={['dataMin', 'dataMax']}
          tick={tick}
          tickLine={false}
          axisLine={{ stroke: 'var(--border)' }}
          tickFormatter={formatTime}
          ticks={moments}
          minTickGap={24}
        />
        <YAxis
          tick={tick}
          tickLine={false}
          axisLine={false}
          width={60}
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
            return active && point ? (
              <div className="rounded-md border border-border bg-surface px-3 py-2 text-xs shadow-float">
                {tooltip(point)}
              </div>
            ) : null;
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
