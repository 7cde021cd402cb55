import dynamic from 'next/dynamic';

// The dialogs are loaded when a person opens them.
export const LazyExemptDialog = dynamic(() => import('./exempt-dialog').then((loaded) => loaded.ExemptDialog), {
  ssr: false,
});

export const LazyOwnerDialog = dynamic(() => import('./owner-dialog').then((loaded) => loaded.OwnerDialog), {
  ssr: false,
});
