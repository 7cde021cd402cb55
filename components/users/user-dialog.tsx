import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { GrantFields } from '@/components/data/grant-fields';
import { useAddUser, useUpdateUser } from '@/components/data/queries/use-users';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { toast } from '@/components/ui/overlays/toast';
import { type Grant, ROLES, type Role } from '@/lib/model/access';
import { type User, UserName } from '@/lib/model/accounts';
import type { MadeLink } from './link-dialog';

/** A new account (`user` null), or the role and the grants of one. */
export function UserDialog(props: {
  user: User | null;
  onClose: () => void;
  onLink: (made: MadeLink) => void;
  returnTo?: { readonly current: HTMLElement | null };
}) {
  const t = useTranslations('users');
  const account = useTranslations('account');
  const errorText = useErrorText();
  const { user, onClose, onLink } = props;
  const add = useAddUser();
  const update = useUpdateUser();
  const [name, setName] = useState(user?.name ?? '');
  const [role, setRole] = useState<Role>(user?.role ?? 'viewer');
  const [grants, setGrants] = useState<Grant[]>(user?.grants ?? []);
  const wrongName = name.trim() !== '' && !UserName.safeParse(name).success;
  const ready = name.trim() !== '' && !wrongName && grants.every(({ value }) => value.trim() !== '');
  const failed = add.error ?? update.error;
  const submit = () => {
    if (!ready) return;
    if (user)
      update.mutate(
        { id: user.id, role, grants },
        {
          onSuccess: () => {
            toast.success(t('saved', { name: user.name }));
            onClose();
          },
        },
      );
    else
      add.mutate(
        { name: name.trim(), role, grants },
        {
          onSuccess: (made) => {
            onClose();
            onLink({ name: made.user.name, link: made.link });
          },
        },
      );
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={user ? t('editTitle', { name: user.name }) : t('add')}
        description={t(user ? 'editText' : 'addText')}
        onSubmit={submit}
        returnTo={props.returnTo}
        footer={
          <>
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button type="submit" variant="primary" busy={add.isPending || update.isPending} disabled={!ready}>
              {t(user ? 'save' : 'invite')}
            </Button>
          </>
        }
      >
        <div className="space-y-4">
          {failed ? (
            <Alert tone="danger" title={errorText(failed).title}>
              {errorText(failed).hint}
            </Alert>
          ) : null}
          {user ? null : (
            <Field label={account('name')} hint={account('nameHint')} error={wrongName ? t('wrongName') : undefined}>
              <Input
                value={name}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={64}
                onChange={(event) => setName(event.target.value)}
              />
            </Field>
          )}
          <Field label={t('column.role')} hint={account(`roleText.${role}`)}>
            <Select
              value={role}
              onValueChange={setRole}
              options={ROLES.map((value) => ({ value, label: account(`role.${value}`) }))}
            />
          </Field>
          <GrantFields grants={grants} onChange={setGrants} />
        </div>
      </DialogContent>
    </Dialog>
  );
}
