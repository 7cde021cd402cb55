import dynamic from 'next/dynamic';

/** Loaded when somebody opens it. */
export const LazyScanDialog = dynamic(() => import('./scan-dialog').then((loaded) => loaded.ScanDialog), {
  ssr: false,
});
