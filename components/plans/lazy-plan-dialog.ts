import { createLazyPart } from '@/components/ui/on-demand/lazy-part';

/** The dialog and the schemas that check its fields are loaded when the dialog is opened. */
export const LazyPlanDialog = createLazyPart(() => import('./plan-dialog').then((loaded) => loaded.PlanDialog));
