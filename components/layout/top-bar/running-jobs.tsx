import { isActive, useJobs } from '@/components/data/queries/use-jobs';
import { onDemand } from '@/components/ui/on-demand/on-demand';

/** Loaded on demand, because most visits happen while nothing runs. */
const useMenu = onDemand(() => import('./running-jobs-menu').then((loaded) => loaded.RunningJobsMenu));

export function RunningJobs() {
  const jobs = (useJobs({ active: true }).data ?? []).filter(isActive);
  const Menu = useMenu(jobs.length > 0);
  return Menu && jobs.length > 0 ? <Menu jobs={jobs} /> : null;
}
