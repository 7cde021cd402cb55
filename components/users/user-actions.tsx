import { Ban, CircleCheck, Ellipsis, KeyRound, LogOut, Pencil } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useEndUserSessions, useResetUser, useUpdateUser } from '@/components/data/queries/accounts/use-users';
import { useErrorText } from '@/components/data/use-error-text';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { toast } from '@/components/ui/overlays/toast';
import type { User } from '@/lib/model/accounts/accounts';
import { LazyUserDialog } from './lazy-user-dialog';
import type { MadeLink } from './link-dialog';

type Asked = 'edit' | 'reset' | 'disable' | 'signOut';

/** What can be done with one account. Actions that take something away need a confirmation. */
export function UserActions({ user, onLink }: { user: User; onLink: (made: MadeLink) => void }) {
  const t = useTranslations('users');
  const errorText = useErrorText();
  const trigger = useRef<HTMLButtonElement>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const update = useUpdateUser();
  const reset = useResetUser();
  const end = useEndUserSessions();
  const close = () => setAsked(null);
  const { id, name } = user;
  // For accounts of an identity provider, the provider manages role and password.
  const local = user.provider === null;
  const after = {
    onError: (error: unknown) => {
      const { title, hint } = errorText(error);
      toast.error(title, { description: hint });
    },
    onSettled: close,
  };
  const acts: Record<Exclude<Asked, 'edit'>, () => void> = {
    reset: () => reset.mutate(id, { ...after, onSuccess: (link) => onLink({ name, link }) }),
    disable: () => update.mutate({ id, disabled: true }, after),
    signOut: () =>
      end.mutate(id, { ...after, onSuccess: ({ ended }) => void toast.success(t('ended', { count: ended })) }),
  };
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button ref={trigger} variant="ghost" size="iconSm" aria-label={t('actionsFor', { name })}>
            <Ellipsis aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          {local ? (
            <DropdownMenuItem onSelect={() => setAsked('edit')}>
              <Pencil aria-hidden />
              {t('edit')}
            </DropdownMenuItem>
          ) : null}
          {user.disabled ? (
            <DropdownMenuItem onSelect={() => update.mutate({ id, disabled: false }, after)}>
              <CircleCheck aria-hidden />
              {t('enable')}
            </DropdownMenuItem>
          ) : (
            <>
              {local ? (
                <DropdownMenuItem onSelect={() => setAsked('reset')}>
                  <KeyRound aria-hidden />
                  {t('reset')}
                </DropdownMenuItem>
              ) : null}
              <DropdownMenuItem onSelect={() => setAsked('signOut')}>
                <LogOut aria-hidden />
                {t('signOut')}
              </DropdownMenuItem>
              <DropdownMenuItem tone="danger" onSelect={() => setAsked('disable')}>
                <Ban aria-hidden />
                {t('disable')}
              </DropdownMenuItem>
            </>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      {asked === 'edit' ? <LazyUserDialog user={user} onClose={close} onLink={onLink} returnTo={trigger} /> : null}
      {asked !== null && asked !== 'edit' ? (
        <ConfirmDialog
          title={t(`sure.${asked}`, { name })}
          text={t(`sureText.${asked}`)}
          confirm={t(asked)}
          busy={update.isPending || reset.isPending || end.isPending}
          onClose={close}
          onConfirm={acts[asked]}
        />
      ) : null}
    </>
  );
}
