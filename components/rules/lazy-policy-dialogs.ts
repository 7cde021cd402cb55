import dynamic from 'next/dynamic';

/** Loaded when the dialogs are opened. */
export const LazyExemptDialog = dynamic(() => import('./exempt-dialog').then((loaded) => loaded.ExemptDialog), {
  ssr: false,
});

export const LazyOwnerDialog = dynamic(() => import('./owner-dialog').then((loaded) => loaded.OwnerDialog), {
  ssr: false,
});
