import dynamic from 'next/dynamic';

/** Loaded when somebody opens it. */
export const LazyTeamDialog = dynamic(() => import('./team-dialog').then((loaded) => loaded.TeamDialog), {
  ssr: false,
});
