import dynamic from 'next/dynamic';
import { ChartBox, ChartLoading } from './chart-box';
import type { TrendLineProps } from './recharts/drawn-trend-line';

const Drawn = dynamic(() => import('./recharts/drawn-trend-line').then((loaded) => loaded.DrawnTrendLine), {
  ssr: false,
  loading: ChartLoading,
});

/** One value over time. A gap is unknown; the line breaks where values before and after cannot be compared. */
export function TrendLine(props: TrendLineProps) {
  return (
    <ChartBox label={props.label} height={props.height}>
      <Drawn {...props} />
    </ChartBox>
  );
}
