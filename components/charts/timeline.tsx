import { lazy } from 'react';
import type { TimelineProps } from '@/components/charts/props/timeline-props';
import { ChartBox } from './chart-box';
import { StillTimeline } from './still/still-timeline';

const Live = lazy(() => import('./live/live-timeline').then((loaded) => ({ default: loaded.LiveTimeline })));

/** Values over time as steps, at most 2,000 points; marks are drawn in the danger colour. */
export function Timeline(props: TimelineProps) {
  const { label, height = 200 } = props;
  return (
    <ChartBox
      label={label}
      height={height}
      still={<StillTimeline {...props} height={height} />}
      live={<Live {...props} />}
    />
  );
}
