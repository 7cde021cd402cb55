import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EditDialog } from '@/components/data/forms/edit-dialog';
import { GrantFields } from '@/components/data/forms/grant-fields';
import { useSession } from '@/components/data/queries/accounts/use-session';
import { useCreateToken } from '@/components/data/queries/accounts/use-tokens';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import { type Grant, pickLowerRole, ROLES, type Role } from '@/lib/model/access';
import { type ApiToken, TOKEN_DAYS, TokenName } from '@/lib/model/accounts/api-tokens';

export interface MadeToken {
  token: ApiToken;
  secret: string;
}

/** The lifetimes that are offered, days. */
const DAYS = [7, 30, TOKEN_DAYS.usual, 180, TOKEN_DAYS.max] as const;

/** Creates a token: what it may do, on which instances, and for how long. */
export function TokenDialog(props: {
  onClose: () => void;
  onMade: (made: MadeToken) => void;
  returnTo: { readonly current: HTMLElement | null };
}) {
  const t = useTranslations('account.token');
  const roles = useTranslations('account.role');
  const create = useCreateToken();
  const ownRole = useSession().data?.user?.role ?? 'none';
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>(pickLowerRole(ownRole, 'viewer'));
  const [days, setDays] = useState<number>(TOKEN_DAYS.usual);
  const [grants, setGrants] = useState<Grant[]>([]);
  const wrongName = name.trim() !== '' && !TokenName.safeParse(name).success;
  const grantsNothing = role === 'none' && grants.length === 0;
  const ready = name.trim() !== '' && !wrongName && !grantsNothing && grants.every(({ value }) => value.trim() !== '');
  const submit = () => {
    create.mutate(
      { name: name.trim(), role, grants, days },
      {
        onSuccess: (made) => {
          props.onClose();
          props.onMade(made);
        },
      },
    );
  };
  return (
    <EditDialog
      title={t('add')}
      description={t('addText')}
      save={t('add')}
      ready={ready}
      busy={create.isPending}
      error={create.error}
      onSave={submit}
      onClose={props.onClose}
      returnTo={props.returnTo}
    >
      <Field label={t('name')} hint={t('nameHint')} error={wrongName ? t('wrongName') : undefined}>
        <Input
          value={name}
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label={t('role')} hint={grantsNothing ? t('roleNone') : t('roleHint')}>
        <Select
          value={role}
          onValueChange={setRole}
          options={ROLES.filter((value) => pickLowerRole(value, ownRole) === value).map((value) => ({
            value,
            label: roles(value),
          }))}
        />
      </Field>
      <Field label={t('days')}>
        <Select
          value={String(days)}
          onValueChange={(value) => setDays(Number(value))}
          options={DAYS.map((count) => ({ value: String(count), label: t('daysOption', { count }) }))}
        />
      </Field>
      <GrantFields grants={grants} onChange={setGrants} />
    </EditDialog>
  );
}
