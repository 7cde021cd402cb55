import { Ban, CircleCheck, Ellipsis, KeyRound, LogOut, Pencil } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useEndUserSessions, useResetUser, useUpdateUser } from '@/components/data/queries/accounts/use-users';
import { useErrorToast } from '@/components/data/use-error-text';
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
import type { MadeLink } from './user-dialog';

/** The action whose dialog is open. */
type Action = 'edit' | 'reset' | 'disable' | 'signOut';

/** Offers what can be done with one account. Actions that take something away need a confirmation. */
export function UserActions({ user, onLink }: { user: User; onLink: (made: MadeLink) => void }) {
  const t = useTranslations('users');
  const trigger = useRef<HTMLButtonElement>(null);
  const [action, setAction] = useState<Action | null>(null);
  const update = useUpdateUser();
  const reset = useResetUser();
  const end = useEndUserSessions();
  const close = () => setAction(null);
  const { id, name } = user;
  // For accounts of an identity provider, the provider manages role and password.
  const local = user.provider === null;
  const callbacks = { onError: useErrorToast(), onSettled: close };
  const confirmed: Record<Exclude<Action, 'edit'>, () => void> = {
    reset: () => reset.mutate(id, { ...callbacks, onSuccess: (link) => onLink({ name, link }) }),
    disable: () => update.mutate({ id, disabled: true }, callbacks),
    signOut: () =>
      end.mutate(id, { ...callbacks, onSuccess: ({ ended }) => void toast.success(t('ended', { count: ended })) }),
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
            <DropdownMenuItem onSelect={() => setAction('edit')}>
              <Pencil aria-hidden />
              {t('edit')}
            </DropdownMenuItem>
          ) : null}
          {user.disabled ? (
            <DropdownMenuItem onSelect={() => update.mutate({ id, disabled: false }, callbacks)}>
              <CircleCheck aria-hidden />
              {t('enable')}
            </DropdownMenuItem>
          ) : (
            <>
              {local ? (
                <DropdownMenuItem onSelect={() => setAction('reset')}>
                  <KeyRound aria-hidden />
                  {t('reset')}
                </DropdownMenuItem>
              ) : null}
              <DropdownMenuItem onSelect={() => setAction('signOut')}>
                <LogOut aria-hidden />
                {t('signOut')}
              </DropdownMenuItem>
              <DropdownMenuItem tone="danger" onSelect={() => setAction('disable')}>
                <Ban aria-hidden />
                {t('disable')}
              </DropdownMenuItem>
            </>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      {action === 'edit' ? <LazyUserDialog user={user} onClose={close} onLink={onLink} returnTo={trigger} /> : null}
      {action !== null && action !== 'edit' ? (
        <ConfirmDialog
          title={t(`sure.${action}`, { name })}
          text={t(`sureText.${action}`)}
          confirm={t(action)}
          busy={update.isPending || reset.isPending || end.isPending}
          onClose={close}
          onConfirm={confirmed[action]}
        />
      ) : null}
    </>
  );
}
