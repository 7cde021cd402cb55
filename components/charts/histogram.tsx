import dynamic from 'next/dynamic';
import { ChartBox, ChartLoading } from './chart-box';
import type { HistogramProps } from './recharts/drawn-histogram';

const Drawn = dynamic(() => import('./recharts/drawn-histogram').then((loaded) => loaded.DrawnHistogram), {
  ssr: false,
  loading: ChartLoading,
});

/** Shows up to about 60 bars. The page shows the same buckets as a table for people who cannot see the drawing. */
export function Histogram(props: HistogramProps) {
  return (
    <ChartBox label={props.label} height={props.height}>
      <Drawn {...props} />
    </ChartBox>
  );
}
