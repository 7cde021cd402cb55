import { Menu } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { EachPart } from '@/components/data/card-boundary';
import { LanguageMenu } from '@/components/layout/menus/language-menu';
import { ThemeMenu } from '@/components/layout/menus/theme-menu';
import { UserMenu } from '@/components/layout/menus/user-menu';
import { useHere } from '@/components/layout/navigation/use-here';
import { CommandPalette } from '@/components/layout/palette/command-palette';
import { Button } from '@/components/ui/button';
import { ViewsMenu } from '@/components/views/views-menu';
import { EmergencyStop } from './emergency-stop';
import { InstanceSwitcher } from './instance-switcher';
import { RunningJobs } from './running-jobs';
import { SnapshotPicker } from './snapshot-picker';

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
        {/* On a phone they are in the user menu: the emergency stop and running jobs need the space. */}
        <LanguageMenu className="max-sm:hidden" />
        <ThemeMenu className="max-sm:hidden" />
        <UserMenu />
      </EachPart>
    </header>
  );
}
