import type { HistogramProps } from '@/components/charts/props/histogram-props';
import { niceTicks } from '@/components/charts/scales/nice-ticks';
import { StillFrame } from './still-frame';

const GAP = 0.12;
/** What is there must be seen, however small. */
const MIN_HEIGHT = 2;
const ROUND = 3;

export function StillHistogram(props: HistogramProps & { height: number }) {
  const { bars, unit, highest = 0, formatAxis, onOpen } = props;
  const ticks = niceTicks(Math.max(highest, ...bars.map((bar) => bar.value)), unit);
  const top = ticks.at(-1) ?? 1;
  return (
    <StillFrame
      height={props.height}
      top={8}
      right={4}
      gap={6}
      rows={ticks.map((tick) => ({ at: tick / top, label: formatAxis(tick) }))}
      columns={bars.map((bar, index) => ({ at: (index + 0.5) / bars.length, label: bar.label }))}
    >
      {(plot) => {
        const band = plot.width / bars.length;
        const width = Math.floor(band * (1 - 2 * GAP));
        return bars.map((bar, index) => {
          const height = bar.value > 0 ? Math.max(MIN_HEIGHT, (bar.value / top) * plot.height) : 0;
          const [x, y, r] = [
            plot.left + (index + GAP) * band,
            plot.top + plot.height - height,
            Math.min(ROUND, height, width / 2),
          ];
          return (
            <path
              key={bar.id}
              d={`M${x},${y + height}v${r - height}q0,${-r} ${r},${-r}h${width - 2 * r}q${r},0 ${r},${r}v${height - r}z`}
              fill={`var(${bar.color ?? '--chart-1'})`}
              onPointerUp={() => onOpen?.(index)}
            />
          );
        });
      }}
    </StillFrame>
  );
}
