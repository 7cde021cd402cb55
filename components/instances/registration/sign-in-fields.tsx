import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import type { Instance } from '@/lib/model/servers/instance';
import type { FormValues } from './form-values';
import { SecretField } from './secret-field';
import { ToggleRow } from './toggle-row';
import { useFieldError } from './use-field-error';

export function SignInFields({ instance }: { instance: Instance | null }) {
  const t = useTranslations('instances.form');
  const { register } = useFormContext<FormValues>();
  const error = useFieldError();
  const topology = useWatch<FormValues, 'topology'>({ name: 'topology' });
  const separate = useWatch<FormValues, 'separateWriteUser'>({ name: 'separateWriteUser' });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('username')} hint={t('usernameHint')} error={error('username')}>
        <Input {...register('username')} autoComplete="off" spellCheck={false} autoCapitalize="off" />
      </Field>
      <SecretField name="password" label={t('password')} stored={instance?.hasPassword ?? false} />
      {topology === 'sentinel' ? (
        <>
          <Field label={t('sentinelUsername')} error={error('sentinelUsername')}>
            <Input {...register('sentinelUsername')} autoComplete="off" spellCheck={false} autoCapitalize="off" />
          </Field>
          <SecretField
            name="sentinelPassword"
            label={t('sentinelPassword')}
            stored={instance?.hasSentinelPassword ?? false}
          />
        </>
      ) : null}
      <div className="sm:col-span-2">
        <ToggleRow name="separateWriteUser" label={t('separateWriteUser')} hint={t('separateWriteUserHint')} />
      </div>
      {separate ? (
        <>
          <Field label={t('writeUsername')} hint={t('usernameHint')} error={error('writeUsername')}>
            <Input {...register('writeUsername')} autoComplete="off" spellCheck={false} autoCapitalize="off" />
          </Field>
          <SecretField name="writePassword" label={t('writePassword')} stored={instance?.hasWritePassword ?? false} />
        </>
      ) : null}
    </div>
  );
}
