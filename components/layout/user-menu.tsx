import { CircleUser, LogOut, UserCog, Users } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { useMay, useSession, useSignOut } from '@/components/data/queries/use-session';
import { useErrorText } from '@/components/data/use-error-text';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { toast } from '@/components/ui/overlays/toast';

/** Who is signed in, and as what. Without sign-in that is said instead, on every page. */
export function UserMenu() {
  const t = useTranslations('account');
  const router = useRouter();
  const errorText = useErrorText();
  const { data: session } = useSession();
  const mayManage = useMay('user.manage');
  const signOut = useSignOut();
  const user = session?.user;
  if (!user) return null;
  const leave = () =>
    signOut.mutate(undefined, {
      // Anew from the server: nothing of this person stays in the memory of the page.
      onSuccess: ({ location }) => window.location.assign(location ?? '/sign-in'),
      onError: (error) => toast.error(errorText(error).title),
    });
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
            <DropdownMenuItem onSelect={() => router.push('/account')}>
              <UserCog aria-hidden />
              {t('title')}
            </DropdownMenuItem>
          </>
        )}
        {mayManage ? (
          <DropdownMenuItem onSelect={() => router.push('/users')}>
            <Users aria-hidden />
            {t('users')}
          </DropdownMenuItem>
        ) : null}
        {session.singleUser ? null : (
          <DropdownMenuItem onSelect={leave}>
            <LogOut aria-hidden />
            {t('signOut')}
          </DropdownMenuItem>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
