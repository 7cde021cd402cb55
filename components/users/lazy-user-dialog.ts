import { createLazyPart } from '@/components/ui/on-demand/lazy-part';

/** The dialog and the schema that checks a name are loaded when the dialog is opened. */
export const LazyUserDialog = createLazyPart(() => import('./user-dialog').then((loaded) => loaded.UserDialog));
