import dynamic from 'next/dynamic';

/** Only a running scan has it: the charts are no part of other visits. */
export const LazyLoadChart = dynamic(() => import('./load-chart').then((loaded) => loaded.LoadChart), {
  ssr: false,
});
