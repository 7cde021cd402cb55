import { useEmergencyStopState } from '@/components/data/queries/use-deletions';
import { isActive, useJobs } from '@/components/data/queries/use-jobs';
import { onDemand } from '@/components/ui/on-demand/on-demand';

const useMenu = onDemand(() => import('./emergency-stop-menu').then((loaded) => loaded.EmergencyStopMenu));

/**
 * Available on every page while anything writes, or while a stop is set. Deletions, expiries and undo are jobs of one
 * kind. Most visits happen while nothing writes, so they do not load the menu.
 */
export function EmergencyStop({ instanceId }: { instanceId: string | null }) {
  const jobs = useJobs({ active: true }).data ?? [];
  const everywhere = useEmergencyStopState().data?.everywhere ?? false;
  const needed = everywhere || jobs.some((job) => job.kind === 'deletion' && isActive(job));
  const Menu = useMenu(needed);
  return Menu && <Menu instanceId={instanceId} needed={needed} />;
}
