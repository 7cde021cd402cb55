import dynamic from 'next/dynamic';

/** The dialog and the shapes that check what is typed, loaded when somebody opens it. */
export const LazyPlanDialog = dynamic(() => import('./plan-dialog').then((loaded) => loaded.PlanDialog), {
  ssr: false,
});
