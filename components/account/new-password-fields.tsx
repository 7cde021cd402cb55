import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { MIN_PASSWORD } from '@/lib/model/accounts/min-password';

/** A new password as it is typed, twice. `ready`: it is long enough, and both times the same. */
export function usePasswordDraft() {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const ready = password.length >= MIN_PASSWORD && password === again;
  const clear = () => {
    setPassword('');
    setAgain('');
  };
  return { password, setPassword, again, setAgain, ready, clear };
}

/** The fields of a new password. It is typed twice, because it is not visible. */
export function NewPasswordFields({ draft }: { draft: ReturnType<typeof usePasswordDraft> }) {
  const t = useTranslations('account');
  // Said only once the second text is as long as the first, not while it is being typed.
  const differs = draft.again.length >= draft.password.length && draft.again !== '' && draft.again !== draft.password;
  return (
    <>
      <Field label={t('newPassword')} hint={t('passwordHint', { count: MIN_PASSWORD })}>
        <Input
          name="new-password"
          type="password"
          autoComplete="new-password"
          required
          minLength={MIN_PASSWORD}
          maxLength={256}
          value={draft.password}
          onChange={(event) => draft.setPassword(event.target.value)}
        />
      </Field>
      <Field label={t('passwordAgain')} error={differs ? t('passwordDiffers') : undefined}>
        <Input
          name="new-password-again"
          type="password"
          autoComplete="new-password"
          required
          maxLength={256}
          value={draft.again}
          onChange={(event) => draft.setAgain(event.target.value)}
        />
      </Field>
    </>
  );
}
