import { CircleUser } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useSession } from '@/components/data/queries/accounts/use-session';
import { Button } from '@/components/ui/button';
import { createLazyMenuContent, DropdownMenu, DropdownMenuTrigger } from '@/components/ui/overlays/dropdown-menu';

const Items = createLazyMenuContent(() => import('./user-menu-items').then((loaded) => loaded.UserMenuItems));

/** The signed-in person and their role. If sign-in is turned off, every page says that instead. */
export function UserMenu() {
  const t = useTranslations('account');
  const { data: session } = useSession();
  const user = session?.user;
  if (!user) return null;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          size="sm"
          aria-label={t('menu', { name: session.singleUser ? t('singleUser') : user.name })}
        >
          <CircleUser className="size-4" aria-hidden />
          <span className="max-w-28 truncate max-md:hidden">{session.singleUser ? t('singleUser') : user.name}</span>
        </Button>
      </DropdownMenuTrigger>
      <Items session={session} user={user} />
    </DropdownMenu>
  );
}
