import dynamic from 'next/dynamic';

/** The dialog and the shape that checks a name, loaded when somebody opens it. */
export const LazyTokenDialog = dynamic(() => import('./token-dialog').then((loaded) => loaded.TokenDialog), {
  ssr: false,
});
