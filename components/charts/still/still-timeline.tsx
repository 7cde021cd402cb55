import type { TimelineProps } from '@/components/charts/props/timeline-props';
import { logTicks } from '@/components/charts/scales/log-ticks';
import { niceTicks } from '@/components/charts/scales/nice-ticks';
import { timeTicks } from '@/components/charts/scales/time-ticks';
import { StillFrame } from './still-frame';

export function StillTimeline(props: TimelineProps & { height: number }) {
  const { points, marks, unit, log = false, formatAxis, formatTime } = props;
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const along = (at: number) => (to > from ? (at - from) / (to - from) : 0);
  const highest = points.reduce((max, point) => Math.max(max, point.value), 0);
  const ticks = log ? logTicks(highest, unit) : niceTicks(highest, unit);
  const top = ticks.at(-1) ?? 1;
  const up = (value: number) => (log ? Math.log1p(value) / Math.log1p(top) : value / top);
  return (
    <StillFrame
      height={props.height}
      top={12}
      right={8}
      gap={24}
      rows={ticks.map((tick) => ({ at: up(tick), label: formatAxis(tick) }))}
      columns={timeTicks(from, to, -new Date(from).getTimezoneOffset() * 60_000).map((at) => ({
        at: along(at),
        label: formatTime(at),
      }))}
    >
      {(plot) => {
        const below = plot.top + plot.height;
        const x = (at: number) => plot.left + along(at) * plot.width;
        // A value holds until the next.
        const steps = points.map(
          ({ at, value }, index) =>
            `${index === 0 ? 'M' : 'H'}${x(at)}${index === 0 ? ',' : 'V'}${below - up(value) * plot.height}`,
        );
        return (
          <>
            <path d={`${steps.join('')}V${below}H${plot.left}Z`} fill="var(--chart-1)" fillOpacity={0.15} />
            <path d={steps.join('')} fill="none" stroke="var(--chart-1)" strokeWidth={1.5} />
            {marks.map((mark) => (
              <line
                key={`${mark.at}-${mark.label}`}
                x1={x(mark.at)}
                x2={x(mark.at)}
                y1={plot.top}
                y2={below}
                stroke="var(--danger)"
                strokeWidth={1.5}
                strokeDasharray="3 2"
              />
            ))}
          </>
        );
      }}
    </StillFrame>
  );
}
