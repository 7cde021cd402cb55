import dynamic from 'next/dynamic';
import { ChartBox, ChartLoading } from './chart-box';
import type { TimelineProps } from './recharts/drawn-timeline';

const Drawn = dynamic(() => import('./recharts/drawn-timeline').then((loaded) => loaded.DrawnTimeline), {
  ssr: false,
  loading: ChartLoading,
});

/** Shows values over time as steps, at most 2,000 points. Marks are drawn in the danger colour. */
export function Timeline(props: TimelineProps) {
  return (
    <ChartBox label={props.label} height={props.height}>
      <Drawn {...props} />
    </ChartBox>
  );
}
