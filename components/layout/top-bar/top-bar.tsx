import { ChevronsUpDown, Database, Menu } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { EachPart } from '@/components/data/card-boundary';
import { useEmergencyStopState } from '@/components/data/queries/use-deletions';
import { useInstance, usePrefetchInstances } from '@/components/data/queries/use-instances';
import { useJobs } from '@/components/data/queries/use-jobs';
import { LanguageMenu } from '@/components/layout/menus/language-menu';
import { ThemeMenu } from '@/components/layout/menus/theme-menu';
import { UserMenu } from '@/components/layout/menus/user-menu';
import { useHere } from '@/components/layout/navigation/use-here';
import { CommandPalette } from '@/components/layout/palette/command-palette';
import { Button } from '@/components/ui/button';
import { onDemand } from '@/components/ui/on-demand/on-demand';
import { createLazyMenuContent, DropdownMenu, DropdownMenuTrigger } from '@/components/ui/overlays/dropdown-menu';
import { ViewsMenu } from '@/components/views/views-menu';
import { isActive } from '@/lib/model/job-states';
import { SnapshotPicker } from './snapshot-picker';

// Most visits happen while no job runs and nothing writes, so the two menus are loaded on demand.
const useEmergencyStopMenu = onDemand(() => import('./emergency-stop-menu').then((loaded) => loaded.EmergencyStopMenu));
const useRunningJobsMenu = onDemand(() => import('./running-jobs-menu').then((loaded) => loaded.RunningJobsMenu));

export function TopBar({ onMenu }: { onMenu: () => void }) {
  const t = useTranslations('nav');
  const { instanceId } = useHere();
  return (
    <header className="sticky top-0 z-20 flex h-12 items-center gap-1.5 border-b bg-surface/90 px-2 backdrop-blur-md max-sm:gap-0.5 sm:px-4">
      <Button variant="ghost" size="icon" className="lg:hidden" onClick={onMenu} aria-label={t('openMenu')}>
        <Menu className="size-4.5" aria-hidden />
      </Button>
      <EachPart>
        <InstanceSwitcher instanceId={instanceId} />
        {instanceId ? <SnapshotPicker instanceId={instanceId} /> : null}
        {instanceId ? <ViewsMenu instanceId={instanceId} /> : null}
        <div className="min-w-0 flex-1" />
        <EmergencyStop instanceId={instanceId} />
        <RunningJobs />
        <CommandPalette />
        {/* On a phone these two are in the user menu: the emergency stop and running jobs need the space. */}
        <LanguageMenu className="max-sm:hidden" />
        <ThemeMenu className="max-sm:hidden" />
        <UserMenu />
      </EachPart>
    </header>
  );
}

/**
 * Available on every page while anything writes, or while a stop is set. Deletions, expiries and undo are jobs of one
 * kind.
 */
function EmergencyStop({ instanceId }: { instanceId: string | null }) {
  const jobs = useJobs({ active: true }).data ?? [];
  const everywhere = useEmergencyStopState().data?.everywhere ?? false;
  const needed = everywhere || jobs.some((job) => job.kind === 'deletion' && isActive(job));
  const StopMenu = useEmergencyStopMenu(needed);
  return StopMenu && <StopMenu instanceId={instanceId} needed={needed} />;
}

function RunningJobs() {
  const jobs = (useJobs({ active: true }).data ?? []).filter(isActive);
  const JobsMenu = useRunningJobsMenu(jobs.length > 0);
  return JobsMenu && jobs.length > 0 ? <JobsMenu jobs={jobs} /> : null;
}

const Content = createLazyMenuContent(() => import('./instance-menu').then((loaded) => loaded.InstanceMenu));

function InstanceSwitcher({ instanceId }: { instanceId: string | null }) {
  const t = useTranslations('nav');
  const current = useInstance(instanceId).data;
  const prefetch = usePrefetchInstances();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          className="min-w-28 max-w-60 shrink text-foreground max-sm:min-w-0 max-sm:px-2 lg:shrink-0"
          aria-label={t('switchInstance')}
          onPointerEnter={prefetch}
          onFocus={prefetch}
        >
          <Database className="text-muted-foreground max-sm:hidden" aria-hidden />
          <span className="truncate">{instanceId === null ? t('chooseInstance') : current?.name}</span>
          <ChevronsUpDown className="text-muted-foreground" aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <Content instanceId={instanceId} />
    </DropdownMenu>
  );
}
