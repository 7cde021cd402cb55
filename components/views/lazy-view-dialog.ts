import dynamic from 'next/dynamic';

export const LazyViewDialog = dynamic(() => import('./view-dialog').then((loaded) => loaded.ViewDialog), {
  ssr: false,
});
export const LazyManageViews = dynamic(() => import('./manage-views').then((loaded) => loaded.ManageViews), {
  ssr: false,
});
