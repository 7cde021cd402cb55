import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EditDialog } from '@/components/data/forms/edit-dialog';
import { GrantFields } from '@/components/data/forms/grant-fields';
import { useAddUser, useUpdateUser } from '@/components/data/queries/accounts/use-users';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import { toast } from '@/components/ui/overlays/toast';
import { type Grant, ROLES, type Role } from '@/lib/model/access';
import { type OneTimeLink, type User, UserName } from '@/lib/model/accounts/accounts';

/** A link with which the person `name` sets a password. */
export interface MadeLink {
  name: string;
  link: OneTimeLink;
}

/** Creates an account (`user` null), or edits the role and the grants of one. */
export function UserDialog(props: {
  user: User | null;
  onClose: () => void;
  onLink: (made: MadeLink) => void;
  returnTo?: { readonly current: HTMLElement | null };
}) {
  const t = useTranslations('users');
  const account = useTranslations('account');
  const { user, onClose, onLink } = props;
  const add = useAddUser();
  const update = useUpdateUser();
  const [name, setName] = useState(user?.name ?? '');
  const [role, setRole] = useState<Role>(user?.role ?? 'viewer');
  const [grants, setGrants] = useState<Grant[]>(user?.grants ?? []);
  const wrongName = name.trim() !== '' && !UserName.safeParse(name).success;
  const ready = name.trim() !== '' && !wrongName && grants.every(({ value }) => value.trim() !== '');
  const submit = () => {
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
    <EditDialog
      title={user ? t('editTitle', { name: user.name }) : t('add')}
      description={t(user ? 'editText' : 'addText')}
      save={t(user ? 'save' : 'invite')}
      ready={ready}
      busy={add.isPending || update.isPending}
      error={add.error ?? update.error}
      onSave={submit}
      onClose={onClose}
      returnTo={props.returnTo}
    >
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
    </EditDialog>
  );
}
