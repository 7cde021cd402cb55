import { lazy } from 'react';
import type { HistogramProps } from '@/components/charts/props/histogram-props';
import { ChartBox } from './chart-box';
import { StillHistogram } from './still/still-histogram';

const Live = lazy(() => import('./live/live-histogram').then((loaded) => ({ default: loaded.LiveHistogram })));

/** Up to ~60 bars. The page shows the same buckets as a table for those who cannot see the drawing. */
export function Histogram(props: HistogramProps) {
  const { label, height = 240 } = props;
  return (
    <ChartBox
      label={label}
      height={height}
      still={<StillHistogram {...props} height={height} />}
      live={<Live {...props} />}
    />
  );
}
