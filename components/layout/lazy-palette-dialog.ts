import dynamic from 'next/dynamic';

/** Loaded when somebody opens it. */
export const LazyPaletteDialog = dynamic(() => import('./palette-dialog').then((loaded) => loaded.PaletteDialog), {
  ssr: false,
});
