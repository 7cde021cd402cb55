import { LogOut, UserCog, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useMay, useSignOut } from '@/components/data/queries/accounts/use-session';
import { useErrorText } from '@/components/data/use-error-text';
import { Badge } from '@/components/ui/badge';
import {
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
} from '@/components/ui/overlays/dropdown-menu';
import { toast } from '@/components/ui/overlays/toast';
import { useGo } from '@/components/ui/underway/use-go';
import type { SessionInfo } from '@/lib/model/accounts/accounts';
import { LanguageChoices } from './language-menu';
import { ThemeChoices } from './theme-menu';

export function UserMenuItems({ session, user }: { session: SessionInfo; user: NonNullable<SessionInfo['user']> }) {
  const t = useTranslations('account');
  const nav = useTranslations('nav');
  const go = useGo();
  const errorText = useErrorText();
  const mayManage = useMay('user.manage');
  const signOut = useSignOut();
  const leave = () =>
    signOut.mutate(undefined, {
      // Loads the page again from the server, so that nothing of this person's session stays in memory.
      onSuccess: ({ location }) => window.location.assign(location ?? '/sign-in'),
      onError: (error) => toast.error(errorText(error).title),
    });
  return (
    <DropdownMenuContent className="max-w-72">
      {session.singleUser ? (
        <DropdownMenuLabel className="max-w-64 whitespace-normal">{t('singleUserText')}</DropdownMenuLabel>
      ) : (
        <>
          <DropdownMenuLabel className="max-w-64 whitespace-normal">
            <span className="flex items-center gap-2 pb-1 font-medium text-foreground text-sm">
              <bdi className="truncate">{user.name}</bdi>
              <Badge tone="outline">{t(`role.${user.role}`)}</Badge>
            </span>
            {t(`roleText.${user.role}`)}
          </DropdownMenuLabel>
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={() => go('/account')}>
            <UserCog aria-hidden />
            {t('title')}
          </DropdownMenuItem>
        </>
      )}
      {mayManage ? (
        <DropdownMenuItem onSelect={() => go('/users')}>
          <Users aria-hidden />
          {t('users')}
        </DropdownMenuItem>
      ) : null}
      {/* On a phone the top bar has no space for separate menus. */}
      <div className="sm:hidden">
        <DropdownMenuSeparator />
        <MenuPart label={nav('language')}>
          <LanguageChoices />
        </MenuPart>
        <DropdownMenuSeparator />
        <MenuPart label={nav('theme')}>
          <ThemeChoices />
        </MenuPart>
        {session.singleUser ? null : <DropdownMenuSeparator />}
      </div>
      {session.singleUser ? null : (
        <DropdownMenuItem onSelect={leave}>
          <LogOut aria-hidden />
          {t('signOut')}
        </DropdownMenuItem>
      )}
    </DropdownMenuContent>
  );
}

function MenuPart({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a part of a menu, not a form
    <div role="group" aria-label={label}>
      {children}
    </div>
  );
}
