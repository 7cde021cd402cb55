import dynamic from 'next/dynamic';

/** The dialog and the shape that checks a name, loaded when somebody opens it. */
export const LazyUserDialog = dynamic(() => import('./user-dialog').then((loaded) => loaded.UserDialog), {
  ssr: false,
});
