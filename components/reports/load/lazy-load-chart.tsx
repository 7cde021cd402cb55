import type { ComponentProps } from 'react';
import { onDemand } from '@/components/ui/on-demand/on-demand';

const useChart = onDemand(() => import('./load-chart'));

/**
 * Only a running scan has it: the charts are no part of other visits. A server that is away just then (a restart) costs
 * the chart only, and it is asked for again with the next progress.
 */
export function LazyLoadChart(props: ComponentProps<NonNullable<ReturnType<typeof useChart>>['LoadChart']>) {
  const chart = useChart(true);
  return chart === null ? null : <chart.LoadChart {...props} />;
}
