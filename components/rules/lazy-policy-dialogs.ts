import { createLazyPart } from '@/components/ui/on-demand/lazy-part';

// The dialogs are loaded when a person opens them.
export const LazyExemptDialog = createLazyPart(() => import('./exempt-dialog').then((loaded) => loaded.ExemptDialog));

export const LazyOwnerDialog = createLazyPart(() => import('./owner-dialog').then((loaded) => loaded.OwnerDialog));
