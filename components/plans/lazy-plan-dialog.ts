import dynamic from 'next/dynamic';

/** The dialog and the schemas that check its fields are loaded when the dialog is opened. */
export const LazyPlanDialog = dynamic(() => import('./plan-dialog').then((loaded) => loaded.PlanDialog), {
  ssr: false,
});
