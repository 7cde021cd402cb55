import dynamic from 'next/dynamic';

/** The dialog and the schema that checks a name are loaded when the dialog is opened. */
export const LazyUserDialog = dynamic(() => import('./user-dialog').then((loaded) => loaded.UserDialog), {
  ssr: false,
});
